import { expect, test } from 'vitest';
import { textWidth } from '../../../cli/output/table.ts';
import { emptyHome } from '../bin-process.ts';
import { startFakeApi } from '../fake-api.ts';
import { page } from '../resources.ts';
import { keyFor } from '../run-cli.ts';
import { eventAt } from './event-list.ts';
import { expectClean } from './expect-clean.ts';
import { describeTerminal, openTerminal, type Terminal } from './terminal.ts';

const WIDE = [
  eventAt(3, { hostname: '漢字漢字.example.com' }),
  eventAt(2, { hostname: '😀😀.example.com' }),
  eventAt(1, { hostname: 'e\u0301te\u0301.example.com' }),
  eventAt(0, { hostname: 'plain.example.com' }),
];
const crash = "process.on('SIGUSR2', () => { throw new Error('a bug in the view') })";

/** Waits until the program runs in the foreground instead of the shell, and returns its process id. */
async function pidOf(terminal: Terminal): Promise<number> {
  await expect.poll(() => terminal.pid()).not.toBeNull();
  return terminal.pid() ?? 0;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The event view and the emulator's screen, each with a pattern that matches once the screen is drawn. */
const SCREENS = [
  { name: 'the event view', argv: ['events', 'tail'], shown: /● connected[\s\S]*▌/, exit: 0 },
  {
    name: "the emulator's screen",
    argv: ['emulator', 'start', '--ephemeral', '--port', '0'],
    shown: /╭ Addresses ─/,
    exit: 0,
  },
] as const;

describeTerminal('a full-screen view leaves the terminal clean', () => {
  async function withApi(use: (env: Record<string, string>) => Promise<void>): Promise<void> {
    await using api = await startFakeApi({ 'GET /v1/events': page(...WIDE) });
    await use({ ...emptyHome(), ...keyFor(api.url) });
  }

  test.each(SCREENS)(
    "Ctrl-Z suspends $name and restores the shell's terminal, and fg draws the view again",
    async ({ argv, shown }) => {
      await withApi(async (env) => {
        using terminal = openTerminal(env);
        terminal.nameplate(...argv);
        await terminal.until(shown);
        terminal.press('C-z');
        await terminal.until(/Stopped|Suspended/);
        expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
        terminal.resize(100, 30);
        terminal.type('fg');
        terminal.press('Enter');
        await expect.poll(() => terminal.flags().alternate).toBe(true);
        await terminal.until(shown);
        // The terminal was resized while the program was stopped, so the screen must have the new size.
        await expect.poll(() => terminal.screen()[1]?.length).toBe(100);
        terminal.press('q');
        await expectClean(terminal, 0);
      });
    },
  );

  test.each(SCREENS)(
    '$name draws at a width of 80 columns if the terminal reports 0',
    async ({ argv, shown }) => {
      await withApi(async (env) => {
        using terminal = openTerminal(env, 120, 40);
        terminal.type('stty cols 0 rows 0; ');
        terminal.nameplate(...argv);
        await terminal.until(shown);
        await expect.poll(() => terminal.screen()[1]).toMatch(/^╭.{78}╮$/);
        terminal.press('q');
        await expectClean(terminal, 0);
      });
    },
  );

  test.each(SCREENS)('a crash and SIGQUIT in $name leave the terminal clean', async ({ argv, shown }) => {
    await withApi(async (env) => {
      const option = `--import=data:text/javascript,${encodeURIComponent(crash)}`;
      for (const [signal, exit] of [
        ['SIGUSR2', 1],
        ['SIGQUIT', 131],
      ] as const) {
        using terminal = openTerminal({ ...env, NODE_OPTIONS: option });
        terminal.nameplate(...argv);
        await terminal.until(shown);
        process.kill(terminal.pid() ?? 0, signal);
        if (signal === 'SIGUSR2') await terminal.until(/a bug in the view/);
        await expectClean(terminal, exit);
      }
    });
  });

  test.each(SCREENS)('$name ends when its terminal closes', async ({ argv, shown }) => {
    await withApi(async (env) => {
      const terminal = openTerminal(env);
      terminal.nameplate(...argv);
      await terminal.until(shown);
      const pid = await pidOf(terminal);
      terminal[Symbol.dispose]();
      await expect.poll(() => isRunning(pid)).toBe(false);
    });
  });

  test.each(SCREENS)('with TERM=dumb, $name prints lines instead', async ({ argv }) => {
    await withApi(async (env) => {
      using terminal = openTerminal(env);
      terminal.type('TERM=dumb ');
      terminal.nameplate(...argv);
      const pid = await pidOf(terminal);
      await terminal.until(/Following|ready at|127\.0\.0\.1/);
      expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
      process.kill(pid, 'SIGINT');
      await expect.poll(() => isRunning(pid)).toBe(false);
    });
  });

  test('the columns stay aligned beside wide characters, and no text is blue', async () => {
    await withApi(async (env) => {
      using terminal = openTerminal(env);
      terminal.nameplate('events', 'tail');
      await terminal.until(/plain\.example\.com/);
      const rows = terminal.screen().slice(3, 7);
      expect(rows.join('\n')).toMatch(/漢字漢字\.example\.com[\s\S]*|😀😀\.example\.com/);
      expect(rows.map(textWidth)).toEqual([80, 80, 80, 80]);
      expect(rows.map((row) => textWidth(row.slice(0, row.indexOf('●'))))).toEqual([50, 50, 50, 50]);
      // Blue text (34) cannot be read on a black background.
      expect(terminal.colors()).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[(?:\\d+;)*34m`));
    });
  });

  test.each([40, 80, 200])('at %i columns, the event view fills the terminal', async (columns) => {
    await withApi(async (env) => {
      using terminal = openTerminal(env, columns, 24);
      terminal.nameplate('events', 'tail');
      await terminal.until(/plain\.example|plain\.exa/);
      const lines = terminal.screen();
      expect(lines).toHaveLength(24);
      for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.at(-1)).toMatch(/^ ↵ detail {2}\/ filter/);
    });
  });
});
