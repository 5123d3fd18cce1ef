import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../../emulator/start.ts';
import { emptyHome } from '../bin-process.ts';
import { describeTerminal, openTerminal } from '../events/terminal.ts';
import { startFakeApi } from '../fake-api.ts';
import { domainOf } from '../resources.ts';
import { emptyFolder, keyFor } from '../run-cli.ts';

const { id: ID } = domainOf();

describeTerminal('a command shows its progress on a terminal', () => {
  test.each([40, 80, 200])(
    'at %i columns, domains wait shows the steps of a domain, and erases them at the end',
    async (columns) => {
      const states = ['pending_dns', 'pending_dns', 'issuing', 'issuing', 'active'].map((status) => ({
        body: domainOf({ status, status_reason: null }),
      }));
      await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: states });
      using terminal = openTerminal({ ...emptyHome(), ...keyFor(api.url) }, columns, 24);
      terminal.nameplate('domains', 'wait', ID);
      await terminal.until(/● pending_dns/);
      await terminal.until(/✓ pending_dns[\s\S]*● issuing/);
      const screen = await terminal.ended();
      expect(screen).toContain('exit=0');
      expect(screen.replace(/\s+/g, ' ')).toContain('pending_dns -> issuing');
      expect(screen).not.toMatch(/[●○]|✓ pending|Ctrl-C stops/);
      expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
    },
  );

  test.each([
    ['C-c', null, 130],
    [null, 'SIGQUIT', 131],
  ] as const)('a wait that is ended with %s %s leaves the terminal as it was', async (key, signal, exit) => {
    await using api = await startFakeApi({
      [`GET /v1/domains/${ID}`]: { body: domainOf({ status: 'pending_dns' }) },
    });
    using terminal = openTerminal({ ...emptyHome(), ...keyFor(api.url) });
    terminal.nameplate('domains', 'wait', ID);
    await terminal.until(/● pending_dns/);
    if (key !== null) terminal.press(key);
    if (signal !== null) process.kill(terminal.pid() ?? 0, signal);
    const screen = await terminal.ended();
    expect(screen).toContain(`exit=${exit}`);
    // A signal ends the process before the process can erase its progress from the screen.
    if (key !== null) expect(screen).not.toMatch(/[●○]|✓ pending|Ctrl-C stops/);
    expect(terminal.flags().cursor).toBe(true);
  });

  test('domains import shows a bar, which the result replaces', async () => {
    const emulator = await startEmulator();
    try {
      const file = path.join(emptyFolder(), 'hosts.csv');
      const hosts = Array.from({ length: 60 }, (_, n) => `h${n}.acme.com`);
      writeFileSync(file, `hostname\n${hosts.join('\n')}\n`);
      using terminal = openTerminal({ ...emptyHome(), ...keyFor(emulator.url, emulator.keys.test) });
      terminal.nameplate('domains', 'import', file);
      await terminal.until(/[━─]{30} \d+ of 60/);
      const screen = await terminal.ended();
      expect(screen).toContain('60 imported, 0 skipped');
      expect(screen).not.toMatch(/━|a second/);
    } finally {
      await emulator.close();
    }
  });

  test.each(['NO_COLOR=1', 'TERM=dumb'])('with %s, the progress has no colours', async (setting) => {
    const states = ['pending_dns', 'active'].map((status) => ({ body: domainOf({ status }) }));
    await using api = await startFakeApi({ [`GET /v1/domains/${ID}`]: states });
    using terminal = openTerminal({ ...emptyHome(), ...keyFor(api.url) });
    terminal.type(`${setting} `);
    terminal.nameplate('domains', 'wait', ID);
    const screen = await terminal.ended();
    expect(screen).toContain('exit=0');
    expect(terminal.colors()).not.toMatch(new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`));
  });
});
