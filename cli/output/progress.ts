import type { Part } from '../screen/list-pane.tsx';
import type { DrawnProgress } from '../screen/progress.tsx';
import type { World } from '../settings/world.ts';
import type { Output } from './output.ts';

/** The progress of a command. */
export interface ProgressState {
  /** One line for each thing that the command waits for. */
  items: readonly { name: string; parts: readonly Part[]; notes: readonly string[] }[];
  /** The finished and the total amount of work, for a bar; null if the total is unknown. */
  bar: { done: number; total: number } | null;
  hint: string;
}

/** Shows progress on a terminal. The notes of `Output` appear above the progress. */
export interface Progress {
  show(state: Partial<ProgressState>): void;
  /** Erases the progress. */
  close(): Promise<void>;
}

/**
 * Returns the progress display of a command on stderr. Returns null if stderr is not a terminal, or with `--json`. The command then prints
 * lines or nothing.
 */
export function createProgress({ stderr, env }: World, output: Output): Progress | null {
  if (stderr.isTTY !== true || output.json || env.TERM === 'dumb') return null;
  let drawn: DrawnProgress | null = null;
  let last: ProgressState | null = null;
  let isClosed = false;
  const load = async () => {
    // Lazy: Ink is loaded only if the command runs long enough to show progress.
    const { drawProgress } = await import('../screen/progress.tsx');
    if (isClosed) return;
    drawn = drawProgress({ stderr }, output.paint('bold', '') !== '');
    const draw = () => last && drawn?.draw(last);
    const drop = () => {
      isClosed = true;
      drawn?.drop();
    };
    output.showBelow({ erase: drawn.erase, draw, drop });
    draw();
  };
  const close = async () => {
    isClosed = true;
    output.showBelow(null);
    await drawn?.close();
  };
  return {
    show(state) {
      if (isClosed) return;
      const isFirst = last === null;
      last = { items: [], bar: null, hint: '', ...state };
      if (isFirst) void load();
      drawn?.draw(last);
    },
    close,
  };
}
