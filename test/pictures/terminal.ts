import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { animatedSvg } from '../cli/draw-terminal.ts';
import { openTerminal } from '../cli/terminal.ts';
import { drawStill } from './draw-surface.ts';

const [COLUMNS, ROWS] = [100, 24];
const SETTLED_MS = 1500;

/** Screens of `nameplate demo`, each with the keys that lead to it from the screen before. */
const SCREENS: readonly (readonly [name: string, keys: readonly string[], shows: string])[] = [
  ['terminal', [], '500 · in'],
  ['terminal-event', ['Enter'], 'Esc back'],
  ['terminal-domains', ['Escape', 'Tab'], 'careers'],
  ['terminal-keys', ['?'], 'quit'],
];

/** Draws screens of the terminal. A terminal has colours of its own, so there is one picture of each screen. */
export async function drawTerminal(browser: Browser): Promise<void> {
  using terminal = openTerminal('demo', COLUMNS, ROWS);
  for (const [name, keys, awaited] of SCREENS) {
    for (const key of keys) {
      terminal.press(key);
      await delay(SETTLED_MS);
    }
    await terminal.shows(awaited);
    const picture = { columns: COLUMNS, rows: ROWS, lengthMs: 1000, title: 'nameplate demo' };
    await drawStill(browser, name, animatedSvg([{ atMs: 0, lines: terminal.lines() }], picture));
  }
}
