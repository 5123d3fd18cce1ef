import { PassThrough } from 'node:stream';
import chalk from 'chalk';
import { render } from 'ink';
import type { ReactNode } from 'react';

/** An Ink component on a terminal in memory. */
export interface Drawn extends Disposable {
  /** Returns the lines on the screen, without colours. */
  lines(): string[];
  /** Sends bytes to the component, as a keyboard does. */
  type(bytes: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when all pending updates have been drawn. */
  settled(): Promise<void>;
}

interface DrawOptions {
  columns?: number;
  rows?: number;
  isScreenReaderEnabled?: boolean;
}

/** Draws a component. Ink writes each frame in full (`debug`), so the last text from Ink is the whole screen. */
export async function draw(node: ReactNode, options: DrawOptions = {}): Promise<Drawn> {
  const { columns = 80, rows = 24, isScreenReaderEnabled = false } = options;
  chalk.level = 0;
  let frame = '';
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  stdout.on('data', (text) => {
    // Skips the sequences that turn bracketed paste on and off, because they are not frames.
    if (!String(text).startsWith('\u001b[?')) frame = String(text);
  });
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  });
  const instance = render(node, {
    stdout: stdout as unknown as NodeJS.WriteStream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    debug: true,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled,
  });
  const drawn: Drawn = {
    lines: () => frame.split('\n'),
    type: (bytes) => void stdin.write(bytes),
    resize(width, height) {
      Object.assign(stdout, { columns: width, rows: height });
      stdout.emit('resize');
    },
    async settled() {
      // Flushes several times, because Ink draws another frame after it has measured sizes.
      for (let n = 0; n < 3; n++) await instance.waitUntilRenderFlush();
    },
    [Symbol.dispose]: instance.unmount,
  };
  await drawn.settled();
  return drawn;
}
