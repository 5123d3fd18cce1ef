import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { animatedSvg, type Frame } from './draw-terminal.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const FILE = path.resolve(import.meta.dirname, '../../shared/pictures/demo.svg');
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

/**
 * Records a run of `nameplate demo` for the README: a real terminal, in real time, as an animated SVG. It presses the keys of a person who
 * opens a failed delivery, sends it again and looks at the domains.
 */
export async function drawDemo(): Promise<void> {
  using terminal = openTerminal('demo', COLUMNS, ROWS);
  await terminal.shows('• nameplate •');
  const frames = await record(terminal);
  mkdirSync(path.dirname(FILE), { recursive: true });
  const picture = { columns: COLUMNS, rows: ROWS, lengthMs: SECONDS * 1000, title: 'nameplate demo' };
  writeFileSync(FILE, animatedSvg(frames, picture));
}

async function record(terminal: Terminal): Promise<Frame[]> {
  const startedAt = performance.now();
  const frames: Frame[] = [];
  const keys = [...KEYS];
  for (let atMs = 0; atMs < SECONDS * 1000; atMs = performance.now() - startedAt) {
    const [next] = keys;
    if (next !== undefined && atMs >= next[0] * 1000) {
      terminal.press(next[1]);
      keys.shift();
    }
    frames.push({ atMs, lines: terminal.lines() });
    await delay(FRAME_MS);
  }
  return frames;
}
