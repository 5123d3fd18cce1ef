import type { World } from '../settings/world.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';
const CTRL_Z = '\x1a';

/**
 * Calls back for each key that is pressed, Ctrl-C and Ctrl-D as `q`; Ctrl-Z stops the job. Off where there is no terminal.
 * @returns what ends it.
 */
export function readKeys({ stdin, stopJob }: World, pressed: (key: string) => void): () => void {
  if (!stdin.isTTY) return () => undefined;
  const read = (chunk: Buffer | string) => {
    for (const key of String(chunk)) {
      if (key === CTRL_Z) stop();
      else pressed(key === CTRL_C || key === CTRL_D ? 'q' : key);
    }
  };
  /** The shell gets its terminal back as it was. */
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
