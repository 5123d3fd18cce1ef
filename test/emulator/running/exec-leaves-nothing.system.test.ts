import { readdirSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { type BinProcess, emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { isAlive, isOpen, runMany } from './many-emulators.ts';

/** A program that prints its process id and the emulator's URLs. Then it ends or waits, depending on its arguments. */
const PROGRAM = `
  const [how] = process.argv.slice(1);
  if (how === 'stubborn') for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(each, () => console.log(each));
  console.log(JSON.stringify([process.pid, process.env.NAMEPLATE_BASE_URL, process.env.NAMEPLATE_EDGE_URL]));
  if (how === 'crash') setTimeout(() => { throw new Error('the command crashed'); }, 10);
  else if (how === 'abort') process.abort();
  else setInterval(() => {}, 1000);`;

interface Executed {
  bin: BinProcess;
  cwd: string;
  pid: number;
  urls: string[];
}

const started: BinProcess[] = [];
afterEach(async () => {
  for (const bin of started.splice(0)) await bin[Symbol.asyncDispose]();
});

async function exec(how: string): Promise<Executed> {
  const cwd = emptyFolder();
  const argv = ['emulator', 'exec', '--clock', 'auto', '--', process.execPath, '-e', PROGRAM, how];
  const bin = startBin(argv, emptyHome(), cwd);
  started.push(bin);
  const [line] = await bin.untilStdout(/\[.*\]/);
  const [pid, ...urls] = JSON.parse(line);
  return { bin, cwd, pid, urls };
}

async function leavesNothing({ pid, urls, cwd }: Executed): Promise<void> {
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  for (const url of urls) expect(await isOpen(url)).toBe(false);
  expect(readdirSync(cwd)).toEqual([]);
}

test('pressing Ctrl-C twice in emulator exec ends the emulator and a command that ignores the first Ctrl-C', async () => {
  const executed = await exec('stubborn');
  const { bin } = executed;
  bin.child.kill('SIGINT');
  await bin.untilStdout(/SIGINT/);
  expect(isAlive(executed.pid)).toBe(true);
  bin.child.kill('SIGINT');
  expect(await bin.ended).toBe(137);
  await leavesNothing(executed);
});

test('emulator exec forwards SIGTERM to its command, and leaves no process or file behind', async () => {
  const executed = await exec('wait');
  executed.bin.child.kill('SIGTERM');
  expect(await executed.bin.ended).toBe(143);
  await leavesNothing(executed);
});

test.each([
  ['crash', 1],
  ['abort', 134],
] as const)(
  'a command that ends in a %s leaves nothing behind, and exec exits with its code',
  async (how, code) => {
    const executed = await exec(how);
    expect(await executed.bin.ended).toBe(code);
    await leavesNothing(executed);
  },
);

test.each(['wait', 'stubborn'])('kill -9 of emulator exec also ends its command: %s', async (how) => {
  const executed = await exec(how);
  executed.bin.child.kill('SIGKILL');
  expect(await executed.bin.ended).toBeTruthy();
  await leavesNothing(executed);
});

test('several emulators each run a life cycle at the same time, and leave nothing behind', async () => {
  expect(await runMany(6, 3)).toEqual({ processes: [], ports: [], files: [] });
});
