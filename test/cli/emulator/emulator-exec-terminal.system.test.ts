import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../emulator/running/many-emulators.ts';
import { emptyHome } from '../bin-process.ts';
import { describeTerminal, openTerminal, type Terminal } from '../events/terminal.ts';
import { emptyFolder } from '../run-cli.ts';

/** A program that counts the signals that it receives. After SIGTERM, it prints the count and ends. */
const PROGRAM = `
  let interrupts = 0;
  process.on('SIGINT', () => console.log('interrupts', ++interrupts));
  process.on('SIGTERM', () => { console.log('in all', interrupts); process.exit(3); });
  console.log('up', process.ppid, process.pid);
  setInterval(() => {}, 1000);`;

function folderOfProgram(): string {
  const folder = emptyFolder();
  writeFileSync(path.join(folder, 'program.cjs'), PROGRAM);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'node program.cjs' } }));
  return folder;
}

/** Starts a shell in a terminal, and runs the command there through `nameplate emulator exec`. */
async function exec(command: string): Promise<{ terminal: Terminal; pids: number[] }> {
  const terminal = openTerminal(emptyHome());
  terminal.type(`cd ${folderOfProgram()}`);
  terminal.press('Enter');
  terminal.nameplate('emulator', 'exec', '--', command);
  const screen = await terminal.until(/up \d+ \d+/);
  return {
    terminal,
    pids:
      screen
        .match(/up (\d+) (\d+)/)
        ?.slice(1)
        .map(Number) ?? [],
  };
}

describeTerminal('emulator exec on a terminal passes keys and signals to its command', () => {
  test.each(['', ' </dev/null', ' 2>/dev/null </dev/null'])(
    'the command gets a pressed Ctrl-C once: node program.cjs%s',
    async (redirected) => {
      const { terminal } = await exec(`node program.cjs${redirected}`);
      using _ = terminal;
      terminal.press('C-c');
      await terminal.until(/interrupts 1/);
      process.kill(terminal.pid() ?? Number.NaN, 'SIGTERM');
      expect(await terminal.ended()).toMatch(/in all 1\n[\s\S]*exit=3\n/);
    },
  );

  test('a second Ctrl-C ends npm test and the processes that it started', async () => {
    const { terminal, pids } = await exec('npm test');
    using _ = terminal;
    terminal.press('C-c');
    await terminal.until(/interrupts 1/);
    expect(pids.filter(isAlive)).toEqual(pids);
    terminal.press('C-c');
    expect(await terminal.ended()).toContain('exit=137\n');
    await expect.poll(() => pids.filter(isAlive)).toEqual([]);
  });

  test('kill -9 of exec ends npm test and the processes that it started', async () => {
    const { terminal, pids } = await exec('npm test');
    using _ = terminal;
    process.kill(terminal.pid() ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  test('the command can read keys from the terminal', async () => {
    const { terminal } = await exec("sh -c 'echo up 1 2; read line; echo got $line'");
    using _ = terminal;
    terminal.type('hello');
    terminal.press('Enter');
    expect(await terminal.ended()).toMatch(/got hello\n[\s\S]*exit=0\n/);
  });
});
