import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BinProcess, emptyHome, runBin, startBin } from '../bin-process.ts';

const env = emptyHome();
let emulator: BinProcess;

beforeAll(async () => {
  emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral', '--clock', 'frozen'], env);
  await emulator.untilStdout(/ready at/);
});

afterAll(async () => {
  await emulator[Symbol.asyncDispose]();
});

async function json(...argv: string[]) {
  const { exit, stdout } = await runBin([...argv, '--json'], env);
  return { exit, document: JSON.parse(stdout) };
}

test('emulator clock shows the mode and the time, and changes both', async () => {
  expect((await json('emulator', 'clock')).document.mode).toBe('frozen');
  expect((await json('emulator', 'clock', '--mode', 'real')).document.mode).toBe('real');
  expect((await json('emulator', 'clock', '--mode', 'frozen')).document.mode).toBe('frozen');
  const before = Date.parse((await json('emulator', 'clock')).document.now);
  const moved = await json('emulator', 'clock', 'advance', '90m');
  expect(Date.parse(moved.document.now) - before).toBe(90 * 60_000);
  expect((await json('emulator', 'clock', 'advance', '--to', '2001-01-01T00:00:00Z')).exit).toBe(2);
});

test("a domain becomes active as the emulator's clock advances, and emulator trigger breaks the domain", async () => {
  const added = await json('domains', 'add', 'careers.acme.com');
  expect(added.document.status).toBe('pending_dns');
  expect((await json('emulator', 'clock', 'advance', '--until', 'idle')).exit).toBe(0);
  expect((await json('domains', 'wait', 'careers.acme.com')).document.data[0].status).toBe('active');

  const impossible = await json('emulator', 'trigger', 'careers.acme.com', 'dns_confirmed');
  expect(impossible.exit).toBe(1);
  expect(impossible.document.error.status_detail.possible).toContain('dns_gone');
  const broken = await json(
    'emulator',
    'trigger',
    'careers.acme.com',
    'dns_gone',
    '--reason',
    'dns_record_missing',
  );
  expect(broken.document.domain.status).toBe('dns_broken');
});

test('emulator hold puts a domain on hold, and release ends the hold', async () => {
  await json('domains', 'add', 'jobs.acme.com');
  expect((await json('emulator', 'hold', 'jobs.acme.com', '--reason', 'phishing')).exit).toBe(0);
  expect((await json('domains', 'get', 'jobs.acme.com')).document.status).toBe('held');
  expect((await json('domains', 'wait', 'jobs.acme.com')).exit).toBe(9);
  expect((await json('emulator', 'release', 'jobs.acme.com')).exit).toBe(0);
  expect((await json('domains', 'get', 'jobs.acme.com')).document.status).toBe('pending_dns');
});

test('emulator reset needs --yes without a terminal, and deletes every domain', async () => {
  await json('domains', 'add', 'old.acme.com');
  expect((await json('emulator', 'reset')).exit).toBe(2);
  expect((await json('emulator', 'reset', '--yes')).exit).toBe(0);
  expect((await json('domains', 'list')).document.data).toEqual([]);
});

test('the commands for apps, keys and events work against the emulator', async () => {
  for (const argv of [
    ['apps', 'get'],
    ['apps', 'update', '--name', 'New'],
    ['keys', 'list'],
    ['keys', 'create', '--name', 'ci', '--mode', 'test'],
    ['events', 'list'],
    ['whoami'],
  ]) {
    expect({ argv, exit: (await json(...argv)).exit }).toEqual({ argv, exit: 0 });
  }
});
