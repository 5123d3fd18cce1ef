import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { emptyHome } from '../bin-process.ts';
import { keyFor } from '../run-cli.ts';
import { describeTerminal, openTerminal, type Terminal } from './terminal.ts';

const STAYS_MS = 1_000;

describeTerminal('the event view draws correctly in a terminal that is resized', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    // The events are from 2020, so their displayed ages do not change during the test.
    emulator = await startEmulator({ clock: 'frozen', seedIds: 'resize' });
    const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test });
    for (let n = 1; n <= 45; n++) await client.domains.create({ hostname: `d${n}.acme.com` });
  });
  afterAll(() => emulator.close());

  async function openView(columns: number, rows: number): Promise<Terminal> {
    const env = { ...emptyHome(), ...keyFor(emulator.url, emulator.keys.test) };
    const terminal = openTerminal(env, columns, rows);
    terminal.nameplate('events', 'tail');
    // Waits for the last row of the screen too, because tmux may show the first line before the rows.
    await terminal.until(/• nameplate • .*● connected[\s\S]*▌ .*d45\.acme\.com/);
    return terminal;
  }

  /** Returns the screen without the age of the last response, which keeps growing. */
  function steady(terminal: Terminal): string {
    return terminal
      .screen()
      .join('\n')
      .replace(/ +● connected.*$/m, ' ● connected');
  }

  /**
   * Waits until the screen equals the expected one and no longer changes, or time runs out. Returns the actual screen. tmux reports a
   * resize up to 250 ms late.
   */
  async function untilSteady(terminal: Terminal, expected: string): Promise<string> {
    const endsAt = performance.now() + 15_000;
    let matchedAt = Number.POSITIVE_INFINITY;
    for (;;) {
      const screen = steady(terminal);
      const now = performance.now();
      matchedAt = screen === expected ? Math.min(matchedAt, now) : Number.POSITIVE_INFINITY;
      if (now - matchedAt > STAYS_MS || now > endsAt) return screen;
      await delay(50);
    }
  }

  /** Returns the screen once it no longer changes. On a busy machine, tmux may show only a part of a frame at first. */
  async function settled(terminal: Terminal): Promise<string> {
    for (let before = steady(terminal); ; ) {
      await delay(STAYS_MS);
      const now = steady(terminal);
      if (now === before) return now;
      before = now;
    }
  }

  const drawnAt = new Map<number, string>();

  /** Returns the screen of an event view that is opened in a terminal with this number of rows. */
  async function freshlyDrawn(rows: number): Promise<string> {
    const known = drawnAt.get(rows);
    if (known !== undefined) return known;
    using terminal = await openView(80, rows);
    const drawn = await settled(terminal);
    drawnAt.set(rows, drawn);
    return drawn;
  }

  test.each([
    ['shrinks and grows', [[20], [9], [30], [10], [24]]],
    [
      'is changed many times at once',
      [
        [22, 20, 18, 26, 30],
        [12, 24, 9],
        [30, 24],
        [5, 24],
        [23, 24],
      ],
    ],
  ])('no line of an earlier frame is left when the height %s', async (_, moves) => {
    using terminal = await openView(80, 24);
    for (const heights of moves) {
      for (const rows of heights) terminal.resize(80, rows);
      const rows = heights.at(-1) ?? 24;
      const expected = await freshlyDrawn(rows);
      const screen = await untilSteady(terminal, expected);
      expect({ heights, screen }).toEqual({ heights, screen: expected });
    }
  });

  test('the view is complete again after the terminal was too small for it', async () => {
    using terminal = await openView(80, 24);
    for (const small of [3, 5, 4, 3]) {
      terminal.resize(80, 60);
      await terminal.until(/d1\.acme\.com/);
      terminal.resize(80, small);
      await terminal.until(/following/);
      terminal.resize(80, 24);
      const expected = await freshlyDrawn(24);
      expect({ small, screen: await untilSteady(terminal, expected) }).toEqual({ small, screen: expected });
    }
  });
});
