import { stripVTControlCharacters } from 'node:util';

/** Number of newest lines to repeat on the terminal when the screen closes. */
const KEPT_MAX = 100;

/**
 * Passes lines on stderr to a full-screen view, which they would damage: warnings of the emulator, and of Node itself.
 * @returns `release` restores stderr and repeats the lines there.
 */
export function captureStderr(onLine: (line: string) => void): { release(): void } {
  const { stderr } = process;
  const write = stderr.write;
  const kept: string[] = [];
  stderr.write = ((chunk: string | Uint8Array) => {
    const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
      kept.push(line);
      if (kept.length > KEPT_MAX) kept.shift();
      onLine(stripVTControlCharacters(line));
    }
    return true;
  }) as typeof stderr.write;
  return {
    release() {
      stderr.write = write;
      if (kept.length > 0) stderr.write(`${kept.join('\n')}\n`);
    },
  };
}
