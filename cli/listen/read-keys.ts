import type { World } from '../world.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';

/** Calls back for each key that is pressed, Ctrl-C and Ctrl-D as `q`; off where there is no terminal. @returns what ends it. */
export function readKeys({ stdin }: World, pressed: (key: string) => void): () => void {
  if (!stdin.isTTY) return () => undefined;
  const read = (chunk: Buffer | string) => {
    for (const key of String(chunk)) pressed(key === CTRL_C || key === CTRL_D ? 'q' : key);
  };
  stdin.setRawMode?.(true);
  stdin.on('data', read);
  return () => {
    stdin.off('data', read);
    stdin.setRawMode?.(false);
    stdin.pause();
  };
}
