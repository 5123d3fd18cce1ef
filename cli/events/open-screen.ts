import type { Output } from '../output/output.ts';
import { presentError } from '../runtime/error-presenter.ts';
import type { World } from '../settings/world.ts';
import { openEventScreen } from './event-screen.ts';
import type { Pacer } from './pacer.ts';
import type { ViewOptions } from './run-view.ts';
import type { EventRows } from './view/event-rows.ts';
import type { ViewCommand } from './view/keys/key-outcome.ts';
import { initialView, type ViewState } from './view/view-state.ts';
import { createViewStore } from './view/view-store.ts';

interface ScreenOptions extends Omit<ViewOptions, 'store' | 'setMouse'> {
  initial: EventRows;
  output: Output;
}

const INTERRUPTED = 130;

/** Shows the event view until the user quits, then prints a summary. Returns the exit code. */
export async function openScreen(options: ScreenOptions): Promise<number> {
  const { initial, pacer, settings, world, output } = options;
  const { elapsedMs, stdout } = world;
  const { mode, baseUrl } = settings;
  const startedMs = elapsedMs();
  const size = { columns: stdout.columns || 80, rows: stdout.rows || 24 };
  const store = createViewStore(initialView({ source: new URL(baseUrl).host, mode, size, rows: initial }));
  let wasInterrupted = false;
  const act = (command: ViewCommand) => {
    if (command.do === 'leave') wasInterrupted = command.interrupted;
    void running.then((view) => view.act(command));
  };
  const time = () => {
    const { clockAheadMs } = store.get();
    return { nowMs: elapsedMs(), now: new Date(Date.now() + clockAheadMs).toISOString() };
  };
  const screen = openEventScreen({ store, act, time, paint: output.paint, world });
  // Imported after the first frame, which does not need it.
  const running = import('./run-view.ts').then(({ runView }) =>
    runView({ ...options, store, setMouse: screen.setMouse }),
  );
  try {
    // Normally the pacer ends first. The other settles only on an error, which must not be lost.
    await Promise.race([stopped(pacer), running.then(({ ended }) => ended)]);
  } finally {
    screen.close();
  }
  return leave(store.get(), elapsedMs() - startedMs, wasInterrupted, output, world);
}

/** Resolves when the pacer stops. A feed that ends does not close the screen, which keeps showing the reason. */
function stopped({ signal }: Pacer): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Prints the summary on the terminal's normal screen, because the alternate screen leaves nothing behind. */
async function leave(
  { rows, copied }: ViewState,
  followedMs: number,
  wasInterrupted: boolean,
  output: Output,
  { stdout }: World,
): Promise<number> {
  const { summaryLines } = await import('./view/event-summary.ts');
  if (copied !== null) stdout.write(`${copied}\n`);
  for (const line of summaryLines(rows, followedMs).flatMap(output.prose)) stdout.write(`${line}\n`);
  if (rows.connection.state === 'stopped') return presentError(rows.connection.error, output);
  return wasInterrupted ? INTERRUPTED : 0;
}
