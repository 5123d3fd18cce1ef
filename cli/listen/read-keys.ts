import type { World } from '../settings/world.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_Z = '\x1a';

/**
 * Calls `pressed` for each key. Reports Ctrl-C and Ctrl-D as `q`; Ctrl-Z suspends the job. Does nothing without a terminal.
 * @returns a function that stops reading.
 */
export function readKeys({ stdin, stopJob }: World, pressed: (key: string) => void): () => void {
  if (!stdin.isTTY) return () => undefined;
  const read = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === CTRL_Z) stop();
      else pressed(key === CTRL_C || key === CTRL_D ? 'q' : key);
    }
  };
  /** Restores the terminal's mode for the shell while the job is suspended. */
  const stop = () => {
    stdin.setRawMode?.(false);
    stopJob();
    stdin.setRawMode?.(true);
  };
  stdin.setRawMode?.(true);
  stdin.on('data', read);
  return () => {
    stdin.off('data', read);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
}
