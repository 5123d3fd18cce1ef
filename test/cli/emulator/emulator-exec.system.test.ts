import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BIN, emptyHome, runBin, startBin } from '../bin-process.ts';
import { emptyFolder } from '../run-cli.ts';
import { registryFiles } from './registered.ts';

const exec = (...command: string[]) => ['emulator', 'exec', '--', ...command];
const node = (script: string) => exec(process.execPath, '-e', script);

test('emulator exec gives the command the addresses and keys of a running emulator', async () => {
  const script = `
    const { NAMEPLATE_BASE_URL: url, NAMEPLATE_API_KEY: key, ...env } = process.env;
    const names = Object.keys(env).filter((name) => /^NAMEPLATE_(?!STATE)/.test(name)).sort();
    fetch(url + '/v1/apps/current', { headers: { authorization: 'Bearer ' + key } })
      .then((answer) => console.log(JSON.stringify({ url, status: answer.status, names })));`;
  const { exit, stdout, stderr } = await runBin(node(script), emptyHome());
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const { url, status, names } = JSON.parse(stdout);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(status).toBe(200);
  expect(names).toEqual([
    'NAMEPLATE_EDGE_CA',
    'NAMEPLATE_EDGE_URL',
    'NAMEPLATE_LIVE_API_KEY',
    'NAMEPLATE_SANDBOX_ORIGIN',
    'NAMEPLATE_WEBHOOK_SECRET',
  ]);
  await expect(fetch(url)).rejects.toThrow();
});

test.each([0, 1, 7, 125, 255])("emulator exec exits with the command's exit code: %i", async (code) => {
  expect((await runBin(node(`process.exit(${code})`), emptyHome())).exit).toBe(code);
});

test('emulator exec exits with 128 + n if signal n ends its command', async () => {
  expect((await runBin(node("process.kill(process.pid, 'SIGKILL')"), emptyHome())).exit).toBe(137);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('emulator exec passes %s on to the command, and ends with it', async (signal, code) => {
  await using bin = startBin(
    node('console.log("pid", process.pid); setInterval(() => {}, 1000)'),
    emptyHome(),
  );
  const [, pid] = await bin.untilStdout(/pid (\d+)/);
  bin.child.kill(signal);
  expect(await bin.ended).toBe(code);
  expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
});

test('a command under emulator exec that handles a signal decides its own exit code', async () => {
  const script =
    "process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1000); console.log('up')";
  await using bin = startBin(node(script), emptyHome());
  await bin.untilStdout(/up/);
  bin.child.kill('SIGTERM');
  expect(await bin.ended).toBe(3);
});

test('emulator exec exits with 127 for a missing command, and with 126 for a command that cannot be run', async () => {
  expect((await runBin(exec('no-such-command-here'), emptyHome())).exit).toBe(127);
  const file = path.join(emptyFolder(), 'plain.txt');
  writeFileSync(file, 'text');
  chmodSync(file, 0o644);
  expect((await runBin(exec(file), emptyHome())).exit).toBe(126);
});

test.each([
  [['emulator', 'exec'], 'No command to run'],
  [['emulator', 'exec', '--'], 'No command to run'],
  [['emulator', 'exec', '--bogus', '--', 'true'], 'There is no flag --bogus.'],
  [['emulator', 'exec', '--port', '65535', '--', 'true'], '--port must be a whole number from 0 to 65534.'],
  [['emulator', 'exec', '--origin', 'nothing', '--', 'true'], 'Use --origin'],
])('emulator exec exits with 125 if exec itself fails: %j', async (argv, message) => {
  const { exit, stderr } = await runBin(argv, emptyHome());
  expect(exit).toBe(125);
  expect(stderr).toContain(message);
});

test('emulator exec passes arguments to the command unchanged, without a shell', async () => {
  const argv = ['--json', '--help', '$(x)', 'a b', '--', '*'];
  const { stdout } = await runBin(
    node('console.log(JSON.stringify(process.argv.slice(1)))').concat('--', ...argv),
    emptyHome(),
  );
  expect(JSON.parse(stdout)).toEqual(argv);
});

test('emulator exec registers no emulator, leaves no database, and does not change the registration of another emulator', async () => {
  const env = emptyHome();
  await using emulator = startBin(['emulator', 'start', '--port', '0', '--ephemeral'], env);
  await emulator.untilStdout(/ready at/);
  const [file = ''] = registryFiles(env);
  const before = readFileSync(file, 'utf8');
  const cwd = emptyFolder();
  expect((await runBin(node(''), env, cwd)).exit).toBe(0);
  expect(registryFiles(env)).toEqual([file]);
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(path.join(cwd, '.nameplate'))).toBe(false);
});

test('a nameplate command under emulator exec uses the emulator that exec started', async () => {
  const inside = exec(process.execPath, BIN, 'domains', 'add', 'careers.acme.com', '--wait', '--json');
  const { exit, stdout } = await runBin(
    ['emulator', 'exec', '--clock', 'auto', ...inside.slice(2)],
    emptyHome(),
  );
  expect(exit).toBe(0);
  expect(JSON.parse(stdout).status).toBe('active');
});
