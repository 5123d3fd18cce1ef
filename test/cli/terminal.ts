import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A program of the package in a real terminal, which a tmux server of its own holds. */
export interface Terminal extends Disposable {
  /** Returns the screen without colours. */
  text(): string;
  /** Returns the lines of the screen, with the escape sequences for their colours. */
  lines(): string[];
  press(key: string): void;
  /** Waits until the screen contains a text. @throws if it does not within a minute. */
  shows(text: string): Promise<void>;
}

const POLL_MS = 250;
const DEADLINE_MS = 60_000;
const PROGRAM = path.resolve(import.meta.dirname, '../../bin/nameplate.js');

/** Opens a terminal, and runs a command of `nameplate` in it. */
export function openTerminal(command: string, columns: number, rows: number): Terminal {
  const home = mkdtempSync(path.join(os.tmpdir(), 'nameplate-terminal-'));
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-u', '-L', path.basename(home), '-f', '/dev/null', ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: home, TMUX_TMPDIR: home },
      cwd: home,
    });
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux(
    'new-session',
    '-d',
    ...size,
    `'${process.execPath}' '${PROGRAM}' ${command}`,
    ';',
    'set',
    'status',
    'off',
  );
  tmux('resize-window', ...size);
  const text = () => tmux('capture-pane', '-p');
  return {
    text,
    lines: () => tmux('capture-pane', '-p', '-e').replace(/\n$/, '').split('\n'),
    press: (key) => void tmux('send-keys', key),
    async shows(awaited) {
      const deadline = performance.now() + DEADLINE_MS;
      while (!text().includes(awaited)) {
        if (performance.now() > deadline)
          throw new Error(`The screen does not show "${awaited}":\n${text()}`);
        await delay(POLL_MS);
      }
    },
    [Symbol.dispose]() {
      tmux('kill-server');
      rmSync(home, { recursive: true });
    },
  };
}
