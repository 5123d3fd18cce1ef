import { PassThrough } from 'node:stream';
import chalk from 'chalk';
import { render } from 'ink';
import type { ReactNode } from 'react';

/** A component on a terminal in memory. */
export interface Drawn extends Disposable {
  /** Returns the lines on the screen, without colours. */
  lines(): string[];
  /** Sends bytes as the keyboard does. */
  type(bytes: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when everything that was asked for is drawn. */
  settled(): Promise<void>;
}

interface DrawOptions {
  columns?: number;
  rows?: number;
  isScreenReaderEnabled?: boolean;
}

/** Draws a component. Ink writes each frame in full (`debug`), so that the last text it wrote is the screen. */
export async function draw(node: ReactNode, options: DrawOptions = {}): Promise<Drawn> {
  const { columns = 80, rows = 24, isScreenReaderEnabled = false } = options;
  chalk.level = 0;
  let frame = '';
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  stdout.on('data', (text) => {
    // Bracketed paste is turned on beside the frames.
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
      // Measured sizes cause another frame.
      for (let n = 0; n < 3; n++) await instance.waitUntilRenderFlush();
    },
    [Symbol.dispose]: instance.unmount,
  };
  await drawn.settled();
  return drawn;
}
