import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { animatedSvg, type Frame } from './draw-terminal.ts';

/**
 * `npm run pictures` records a run of `nameplate demo` for the README: a real terminal, in real time, as an animated SVG. The script
 * presses the keys of a person who opens a failed delivery, sends it again and looks at the domains.
 */
const root = path.resolve(import.meta.dirname, '../..');
const FILE = path.join(root, 'shared/pictures/demo.svg');
const [COLUMNS, ROWS] = [100, 24];
const FRAME_MS = 250;
const SECONDS = 36;

/** The keys that the recording presses, each with the second at which it does. */
const KEYS: readonly (readonly [atS: number, key: string])[] = [
  ...[...'/code>=400'].map((key, index) => [15 + index / 4, key] as const),
  [18.5, 'Enter'],
  [20, 'Enter'],
  [23, 'r'],
  [27, 'Escape'],
  [28, 'Escape'],
  [30, 'Tab'],
];

const home = mkdtempSync(path.join(os.tmpdir(), 'nameplate-demo-'));
const program = `'${process.execPath}' '${path.join(root, 'bin/nameplate.js')}' demo`;
try {
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), program, ';', 'set', 'status', 'off');
  tmux('resize-window', '-x', String(COLUMNS), '-y', String(ROWS));
  while (!screen().includes('• nameplate •')) await delay(FRAME_MS);
  const frames = await record();
  mkdirSync(path.dirname(FILE), { recursive: true });
  const picture = { columns: COLUMNS, rows: ROWS, lengthMs: SECONDS * 1000, title: 'nameplate demo' };
  writeFileSync(FILE, animatedSvg(frames, picture));
} finally {
  tmux('kill-server');
  rmSync(home, { recursive: true });
}

async function record(): Promise<Frame[]> {
  const startedAt = performance.now();
  const frames: Frame[] = [];
  const keys = [...KEYS];
  for (let atMs = 0; atMs < SECONDS * 1000; atMs = performance.now() - startedAt) {
    const [next] = keys;
    if (next !== undefined && atMs >= next[0] * 1000) {
      tmux('send-keys', next[1]);
      keys.shift();
    }
    frames.push({ atMs, lines: screen('-e').replace(/\n$/, '').split('\n') });
    await delay(FRAME_MS);
  }
  return frames;
}

function screen(...options: string[]): string {
  return tmux('capture-pane', '-p', ...options);
}

/** Runs a command of a tmux server of its own. */
function tmux(...args: string[]): string {
  return execFileSync('tmux', ['-u', '-L', 'nameplate-demo', '-f', '/dev/null', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: home, TMUX_TMPDIR: home },
    cwd: home,
  });
}
