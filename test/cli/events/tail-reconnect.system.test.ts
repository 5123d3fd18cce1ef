import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from '../bin-process.ts';
import { expectClean } from './expect-clean.ts';
import { describeTerminal, openTerminal } from './terminal.ts';

const LIVE = /● connected/;

describeTerminal('the event view survives an outage of its server', () => {
  test('the view reconnects when the server is back, and continues', async () => {
    const home = emptyHome();
    // This port is below the range from which the system assigns ports, so no other program gets it while the server is down.
    const port = String(randomInt(15_000, 30_000));
    let server = startBin(['emulator', 'start', '--port', port, '--file', `${home['HOME']}/e.db`], home);
    await server.untilStdout(/ready at/);
    try {
      expect((await runBin(['domains', 'add', 'careers.acme.com'], home)).exit).toBe(0);
      using terminal = openTerminal(home);
      terminal.nameplate('events', 'tail');
      await terminal.until(LIVE);
      await server[Symbol.asyncDispose]();
      await terminal.until(/○ retrying (?:in \d+ s|now) · (?:updated )?\d+ s ago/);
      await terminal.until(/ECONNREFUSED/);
      expect(terminal.screen().join('\n')).toContain('careers.acme.com');
      server = startBin(['emulator', 'start', '--port', port, '--file', `${home['HOME']}/e.db`], home);
      await server.untilStdout(/ready at/);
      await terminal.until(/● connected[\s\S]*Reconnected\./);
      terminal.press('q');
      await expectClean(terminal, 0);
    } finally {
      await server[Symbol.asyncDispose]();
    }
  });
});
