import { expect, test } from 'vitest';
import { emptyHome, runBin } from '../bin-process.ts';
import { describeTerminal, openTerminal } from '../events/terminal.ts';
import { registryFiles } from './registered.ts';

const START = ['emulator', 'start', '--ephemeral', '--clock', 'frozen', '--port', '0'];

describeTerminal('emulator start on a terminal opens the emulator screen', () => {
  test('the screen shows requests and events, moves the clock, resets, survives a resize, and restores the terminal', async () => {
    const env = emptyHome();
    using terminal = openTerminal(env);
    terminal.nameplate(...START);
    await terminal.until(/In another terminal:/);
    expect(terminal.flags()).toEqual({ alternate: true, cursor: false, mouse: false });

    expect((await runBin(['domains', 'add', 'careers.acme.com'], env)).exit).toBe(0);
    await terminal.until(/api +201 +POST \/v1\/domains/);
    await terminal.until(/event +created +careers\.acme\.com +new → pending_dns/);
    terminal.press('f', 'f', 'f');
    await terminal.until(/only event/);
    terminal.press('Enter');
    await terminal.until(/Attempts[\s\S]*Body/);
    terminal.press('Escape');
    await terminal.until(/only event/);
    terminal.press('f', 'f', 'f', 'f');
    await terminal.until(/api +201 +POST/);

    terminal.press('.');
    await terminal.until(/The clock is at .* Done: 1 domain step/);
    terminal.paste('r\n');
    terminal.press('a');
    terminal.type('soon');
    terminal.press('Enter');
    await terminal.until(/soon is neither a duration nor a time/);
    terminal.press('a');
    terminal.paste('1h');
    await terminal.until(/Advance by or to: 1h/);
    terminal.press('Enter');
    await terminal.until(/event +active +careers\.acme\.com/);

    terminal.resize(60, 12);
    await terminal.until(/active +careers\.acme\.com/);
    const small = terminal.screen();
    expect(small).toHaveLength(12);
    expect(small[0]).toMatch(/emulator +http:\/\/127\.0\.0\.1:\d+ +frozen \+1 h/);
    terminal.resize(120, 30);
    await terminal.until(/\? keys/);

    terminal.press('r', 'Enter');
    await terminal.until(/Emulator reset\./);
    await terminal.until(/0 domains {3}0 events/);

    terminal.press('q');
    expect(await terminal.ended()).toContain('exit=0');
    expect(terminal.flags()).toEqual({ alternate: false, cursor: true, mouse: false });
    expect(registryFiles(env)).toEqual([]);
  });

  test('emulator stop and Ctrl-C end the screen and the emulator', async () => {
    const env = emptyHome();
    using terminal = openTerminal(env);
    terminal.nameplate(...START);
    await terminal.until(/In another terminal:/);
    expect((await runBin(['emulator', 'stop'], env)).exit).toBe(0);
    expect(await terminal.ended()).toContain('exit=0');
    terminal.nameplate(...START);
    await terminal.until(/In another terminal:/);
    terminal.press('C-c');
    expect(await terminal.ended()).toContain('exit=0');
  });

  test('with --quiet, the command prints the addresses as lines instead', async () => {
    const env = emptyHome();
    using terminal = openTerminal(env, 120);
    terminal.nameplate(...START, '--quiet');
    await terminal.until(/Try next, in another terminal:/);
    expect(terminal.flags().alternate).toBe(false);
    terminal.press('C-c');
    expect(await terminal.ended()).toContain('exit=0');
  });
});
