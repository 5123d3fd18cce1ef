import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type BinProcess, emptyHome, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';
import { isAlive } from './many-emulators.ts';

/**
 * Waits for a response of the emulator. `emulator exec` reports the command to its watcher before it responds to requests, in the same
 * thread. So the watcher knows the command once the response arrives.
 */
const UNTIL_WATCHED = 'await fetch(process.env.NAMEPLATE_BASE_URL);';
const SH_UNTIL_WATCHED = `node --input-type=module -e "${UNTIL_WATCHED}"`;

/** Commands that start child processes, as `npm test` does. Each prints the process ids of the shell and its child as `[1,2]`. */
const PROGRAM = `
  ${UNTIL_WATCHED}
  if (process.argv[2] === 'stubborn') for (const each of ['SIGINT', 'SIGTERM']) process.on(each, () => console.log(each));
  console.log(JSON.stringify([process.ppid, process.pid]));
  setInterval(() => {}, 1000);`;

const COMMANDS = {
  'npm test': ['npm', 'test'],
  'a stubborn npm test': ['npm', 'run', 'stubborn'],
  sh: ['sh', '-c', `${SH_UNTIL_WATCHED}; sleep 317 & echo "[$$,$!]"; wait`],
  'a stubborn sh': [
    'sh',
    '-c',
    `trap "echo SIGINT" INT; ${SH_UNTIL_WATCHED}; sleep 317 & echo "[$$,$!]"; while kill -0 $!; do wait; done`,
  ],
  'sh that ends': ['sh', '-c', 'sleep 317 & echo "[$$,$!]"'],
  'sh that crashes': ['sh', '-c', 'sleep 317 & echo "[$$,$!]"; kill -9 $$'],
  'sh with jobs': ['bash', '-c', `${SH_UNTIL_WATCHED}; set -m; sleep 317 & echo "[$$,$!]"; wait`],
};

const started: { bin: BinProcess; pids: number[] }[] = [];
afterEach(async () => {
  for (const { bin, pids } of started.splice(0)) {
    for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await bin[Symbol.asyncDispose]();
  }
});

async function exec(command: keyof typeof COMMANDS): Promise<{ bin: BinProcess; pids: number[] }> {
  const folder = emptyFolder();
  writeFileSync(path.join(folder, 'program.mjs'), PROGRAM);
  const scripts = { test: 'node program.mjs', stubborn: 'node program.mjs stubborn' };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts }));
  const bin = startBin(['emulator', 'exec', '--', ...COMMANDS[command]], emptyHome(), folder);
  const [line] = await bin.untilStdout(/\[\d.*\]/);
  const executed = { bin, pids: JSON.parse(line) };
  started.push(executed);
  return executed;
}

test.each(['npm test', 'sh', 'sh with jobs'] as const)(
  'one SIGTERM to emulator exec ends %s and its children',
  async (command) => {
    const { bin, pids } = await exec(command);
    bin.child.kill('SIGTERM');
    expect(await bin.ended).toBe(143);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

test.each(['npm test', 'sh'] as const)(
  'one Ctrl-C in emulator exec ends %s and its children',
  async (command) => {
    const { bin, pids } = await exec(command);
    bin.child.kill('SIGINT');
    expect(await bin.ended).toBe(130);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

test.each(['a stubborn npm test', 'a stubborn sh'] as const)(
  'pressing Ctrl-C twice in emulator exec ends %s and its children',
  async (command) => {
    const { bin, pids } = await exec(command);
    bin.child.kill('SIGINT');
    await bin.untilStdout(/SIGINT/);
    expect(pids.filter(isAlive)).toEqual(pids);
    bin.child.kill('SIGINT');
    expect(await bin.ended).toBe(137);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

test.each(['npm test', 'a stubborn npm test', 'sh', 'sh with jobs'] as const)(
  'kill -9 of emulator exec also ends %s and its children',
  async (command) => {
    const { bin, pids } = await exec(command);
    bin.child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  },
);

test.each([
  ['sh that ends', 0],
  ['sh that crashes', 137],
] as const)('ends the processes that %s leaves running', async (command, code) => {
  const { bin, pids } = await exec(command);
  expect(await bin.ended).toBe(code);
  expect(pids.filter(isAlive)).toEqual([]);
});
