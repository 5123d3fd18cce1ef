import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { emptyHome, runBin, startBin } from '../../cli/bin-process.ts';
import { emptyFolder } from '../../cli/run-cli.ts';

const PRELOAD = pathToFileURL(path.resolve(import.meta.dirname, '../../fixtures/fault-on-signal.mjs')).href;

function faultyEnv(fault: string) {
  const FAULT_FILE = path.join(emptyFolder(), 'fault');
  writeFileSync(FAULT_FILE, fault);
  return { ...emptyHome(), FAULT_FILE, NODE_OPTIONS: `--import=${PRELOAD}` };
}

const START = ['emulator', 'start', '--port', '0', '--json'];

test('the emulator logs an unhandled error of one connection in one line, and continues', async () => {
  await using bin = startBin(START, faultyEnv('reset'));
  await bin.untilStdout(/\n\}\n$/);
  bin.child.kill('SIGUSR2');
  await expect
    .poll(bin.stderr)
    .toMatch(/^warning: unhandled error of one connection: .*report this line.*ECONNRESET.*\n$/);
  expect((await fetch(`${JSON.parse(bin.stdout()).url}/_emulator/status`)).status).toBe(200);
});

test('the emulator shuts down cleanly after any other uncaught error, stores its state, and prints what to report', async () => {
  const env = faultyEnv('bug');
  const cwd = emptyFolder();
  await using bin = startBin(START, env, cwd);
  await bin.untilStdout(/\n\}\n$/);
  const { keys } = JSON.parse(bin.stdout());
  bin.child.kill('SIGUSR2');
  expect(await bin.ended).toBe(1);
  expect(bin.stderr()).toMatch(/^error: unhandled error: this process shuts down[\s\S]*an injected bug/);
  expect(bin.stdout()).toContain('The emulator stopped because of an unhandled error: an injected bug');
  expect(bin.stdout()).toContain(path.join(cwd, '.nameplate/emulator.db'));
  await using next = startBin(START, env, cwd);
  await next.untilStdout(/\n\}\n$/);
  expect(JSON.parse(next.stdout()).keys).toEqual(keys);
});

test('after an uncaught error of the emulator, emulator exec ends its command, and exits with 125', async () => {
  const command = "process.kill(process.ppid, 'SIGUSR2'); setInterval(() => undefined, 1000);";
  const argv = ['emulator', 'exec', '--', process.execPath, '-e', command];
  const { exit, stderr } = await runBin(argv, faultyEnv('bug'));
  expect(exit).toBe(125);
  expect(stderr).toContain('The emulator stopped because of an unhandled error: an injected bug');
});
