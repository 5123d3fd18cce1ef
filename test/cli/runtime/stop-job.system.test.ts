import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { createClient } from '../../../shared/client/client.ts';
import { type Receiver, startReceiver } from '../../conformance/receiver.ts';
import { emptyHome } from '../bin-process.ts';
import { describeTerminal, openTerminal, type Terminal } from '../events/terminal.ts';
import { keyFor } from '../run-cli.ts';

/** Tests Ctrl-Z in a shell with job control. */
describeTerminal('Ctrl-Z suspends a command that runs as a job of a shell', () => {
  let emulator: Emulator;
  let receiver: Receiver;
  beforeAll(async () => {
    [emulator, receiver] = await Promise.all([startEmulator(), startReceiver()]);
  });
  afterAll(() => Promise.all([emulator.close(), receiver[Symbol.asyncDispose]()]));

  const create = (hostname: string) =>
    createClient({ baseUrl: emulator.url, apiKey: emulator.keys.test }).domains.create({ hostname });

  function openShell(shell: string): Terminal {
    const terminal = openTerminal({ ...emptyHome(), ...keyFor(emulator.url, emulator.keys.test) });
    enter(terminal, `exec ${shell}`);
    return terminal;
  }

  function enter(terminal: Terminal, line: string): void {
    terminal.type(line);
    terminal.press('Enter');
  }

  /** Expects that the shell is in the foreground again, and that the terminal has its state from before the command. */
  async function expectShell(terminal: Terminal): Promise<void> {
    await terminal.until(/Stopped/);
    enter(terminal, 'clear; stty -a; jobs');
    await terminal.until(/^isig icanon iexten echo [\s\S]*Stopped/m);
    expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
  }

  test.each(['bash --noprofile --norc', 'sh'])(
    'the event view returns the terminal to %s, and after fg it also shows the events since then',
    async (shell) => {
      using terminal = openShell(shell);
      await create(`before-${shell.length}.acme.com`);
      terminal.nameplate('events', 'tail');
      await terminal.until(/● connected[\s\S]*▌/);
      terminal.press('?');
      await terminal.until(/^╭ Keys /m);
      for (const round of [1, 2]) {
        terminal.press('C-z');
        await expectShell(terminal);
        const hostname = `while-${round}-${shell.length}.acme.com`;
        await create(hostname);
        enter(terminal, 'fg');
        await terminal.until(/^╭ Keys /m);
        expect(terminal.flags().alternate).toBe(true);
        terminal.press('Escape');
        await terminal.until(new RegExp(`● connected[\\s\\S]*${hostname}`));
        expect(
          terminal
            .screen()
            .join('\n')
            .match(/● connected/g),
        ).toHaveLength(1);
        terminal.press('?');
        await terminal.until(/^╭ Keys /m);
      }
      terminal.press('Escape');
      await terminal.until(/DELIVERY/);
      terminal.press('/');
      await terminal.until(/^ \/▏/m);
      terminal.press('C-z');
      await expectShell(terminal);
      enter(terminal, 'fg');
      await terminal.until(/^ \/▏/m);
      terminal.press('C-c');
      expect(await terminal.ended()).toContain('exit=130\n');
      expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
    },
  );

  test('a command that asked a question asks again after fg', async () => {
    const domain = await create('question.acme.com');
    using terminal = openShell('bash --noprofile --norc');
    terminal.nameplate('domains', 'remove', domain.hostname);
    await terminal.until(/\[y\/N\] *$/m);
    for (let round = 0; round < 2; round++) {
      terminal.press('C-z');
      await expectShell(terminal);
      enter(terminal, 'clear; fg');
      await terminal.until(/\[y\/N\] *$/m);
    }
    enter(terminal, 'y');
    expect(await terminal.ended()).toContain('exit=0\n');
  });

  test('a key typed after fg at the question of login stays hidden', async () => {
    using terminal = openShell('bash --noprofile --norc');
    terminal.nameplate('login');
    await terminal.until(/API key for /);
    terminal.press('C-z');
    await expectShell(terminal);
    enter(terminal, 'clear; fg');
    await terminal.until(/API key for /);
    enter(terminal, emulator.keys.test);
    const screen = await terminal.ended();
    expect(screen).toContain('exit=0\n');
    expect(screen).not.toContain(emulator.keys.test);
  });

  test('listen forwards the missed events after fg, and reacts to keys again', async () => {
    using terminal = openShell('bash --noprofile --norc');
    terminal.nameplate('listen', '--forward-to', receiver.url);
    await terminal.until(/q quit\./);
    terminal.press('C-z');
    await expectShell(terminal);
    await create('listen.acme.com');
    enter(terminal, 'fg');
    await terminal.until(/listen\.acme\.com +✓ 200/);
    terminal.press('r');
    await terminal.until(/No event is waiting/);
    terminal.press('q');
    expect(await terminal.ended()).toContain('exit=0\n');
  });
});
