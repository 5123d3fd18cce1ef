import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const LAUNCHER = path.resolve(import.meta.dirname, '../../bin');
const PRINT_ARGV = 'export async function run(argv) { console.log(process.version, ...argv); return 7; }';
const DIE =
  "export async function run() { process.kill(process.pid, 'SIGKILL'); await new Promise(() => setInterval(() => {}, 1000)); }";
const WAIT = `export async function run() {
  const keep = setInterval(() => {}, 1000);
  process.on('SIGTERM', () => { console.log('told'); clearInterval(keep); process.exitCode = 5; });
  console.log('ready');
}`;

/** A command that runs for 1.5 seconds, which gives the launcher time to notice that its own parent process has ended. */
const WORK = `export async function run() {
  process.on('SIGTERM', () => console.log('told'));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  console.log('done');
}`;

/** A copy of the launcher in a package of its own, for which each test provides the other files. */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-launcher-'));
  write('package.json', '{"type":"module"}');
  cpSync(LAUNCHER, path.join(folder, 'bin'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true }));

test('the nameplate script runs the built CLI with the arguments and exits with its code', async () => {
  write('dist/cli.js', PRINT_ARGV);
  expect(await nameplate(process.version, 'domains', '--json')).toEqual({
    code: 7,
    stdout: `${process.version} domains --json\n`,
    stderr: '',
  });
});

test('the nameplate script says what to run if the CLI is not built', async () => {
  const { code, stderr } = await nameplate(process.version);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Building nameplate, once…\n[\s\S]*\nnameplate is not built: run npm ci.*\n$/);
});

describe('the nameplate script on an old Node uses the Node of its package', () => {
  test('runs the command on the Node that the package contains', async () => {
    write('dist/cli.js', PRINT_ARGV);
    installNode('24.21.0');
    expect(await nameplate('v20.20.2', 'a b', '--', '$c')).toEqual({
      code: 7,
      stdout: `${process.version} a b -- $c\n`,
      stderr: '',
    });
  });

  test('exits with 128 + n if a signal ended the command', async () => {
    write('dist/cli.js', DIE);
    installNode('24.21.0');
    expect((await nameplate('v20.20.2')).code).toBe(128 + 9);
  });

  test("forwards a signal and exits with the command's code", async () => {
    write('dist/cli.js', WAIT);
    installNode('24.21.0');
    const child = start('v20.20.2');
    const stdout = text(child.stdout.once('data', () => child.kill('SIGTERM')));
    const [code] = await once(child, 'close');
    expect([code, await stdout]).toEqual([5, 'ready\ntold\n']);
  });

  test('shuts the command down cleanly if the launcher is killed', async () => {
    write('dist/cli.js', WAIT);
    installNode('24.21.0');
    const child = start('v20.20.2');
    const stdout = text(child.stdout.once('data', () => child.kill('SIGKILL')));
    // The command has the other end of the pipe, so this read ends only when the command ends.
    expect(await stdout).toBe('ready\ntold\n');
  });

  test('a command that handles no signal ends by itself with its own exit code', async () => {
    write('dist/cli.js', PRINT_ARGV);
    installNode('24.21.0');
    expect((await nameplate('v20.20.2')).code).toBe(7);
  });

  test.each([
    ['none, as from a tarball', null, 'run npm install node@24 where you installed it'],
    ['none, in a checkout', null, 'run npm ci in its folder'],
    ['too old itself', '18.20.0', 'run npm install node@24 where you installed it'],
    [
      'without its binary, because its install script was blocked',
      'blocked',
      'let your package manager run the install script of the package node, which is there without its binary: pnpm approve-builds, yarn rebuild node, or npm rebuild node',
    ],
  ])('prints one sentence about what to run if the Node in the package is %s', async (_, version, remedy) => {
    write('dist/cli.js', PRINT_ARGV);
    if (version === 'blocked') write('node_modules/node/package.json', '{"version":"24.21.0"}');
    else if (version !== null) installNode(version);
    if (remedy.startsWith('run npm ci')) write('package-lock.json', '{}');
    const { code, stdout, stderr } = await nameplate('v20.20.2');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `nameplate needs Node 24 or newer, this is v20.20.2: install a newer one, or ${remedy}.\n`,
    );
  });
});

test.each([process.version, 'v20.20.2'])(
  'a signal to npx shuts the command down cleanly, on Node %s',
  async (version) => {
    write('dist/cli.js', WAIT);
    installNode('24.21.0');
    mkdirSync(path.join(folder, 'node_modules/.bin'));
    symlinkSync('../../bin/nameplate.js', path.join(folder, 'node_modules/.bin/nameplate'));
    const npx = spawn('npm', ['exec', '--no', '--', 'nameplate', 'service', 'start'], {
      cwd: folder,
      env: { ...launcherEnv(), NODE_OPTIONS: `--import=${claimOf(version)}` },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const stdout = text(npx.stdout.once('data', () => npx.kill('SIGTERM')));
    expect(await stdout).toBe('ready\ntold\n');
  },
);

test('the nameplate script keeps a command running after an npm script with several commands has ended', async () => {
  write('dist/cli.js', WORK);
  const shell = spawn('sh', ['-c', `${process.execPath} bin/nameplate.js & exit`], {
    cwd: folder,
    env: { ...launcherEnv(), npm_lifecycle_script: 'nameplate emulator start & npm test' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  expect(await text(shell.stdout)).toBe('done\n');
});

describe('the compile cache of the nameplate script is private to its user', () => {
  const cache = () => path.join(folder, 'cache/nameplate/compile');

  test('only the user can open the folder of the cache', async () => {
    write('dist/cli.js', PRINT_ARGV);
    await nameplate(process.version);
    expect(statSync(cache()).mode & 0o777).toBe(0o700);
    expect(readdirSync(cache())).toHaveLength(1);
  });

  test('a cache folder to which other users can write is not used', async () => {
    write('dist/cli.js', PRINT_ARGV);
    mkdirSync(cache(), { recursive: true });
    chmodSync(cache(), 0o777);
    expect((await nameplate(process.version)).code).toBe(7);
    expect(readdirSync(cache())).toEqual([]);
  });
});

function write(file: string, content: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

function installNode(version: string): void {
  write('node_modules/node/package.json', JSON.stringify({ name: 'node', version }));
  mkdirSync(path.join(folder, 'node_modules/node/bin'));
  symlinkSync(process.execPath, path.join(folder, 'node_modules/node/bin/node'));
}

/** Starts the launcher with the Node of this test, but with `version` as the version that the launcher sees. */
function start(version: string, ...args: string[]) {
  return spawn(
    process.execPath,
    ['--import', claimOf(version), path.join(folder, 'bin/nameplate.js'), ...args],
    { env: launcherEnv(), stdio: ['ignore', 'pipe', 'pipe'] },
  );
}

function launcherEnv() {
  return { PATH: process.env.PATH, XDG_CACHE_HOME: path.join(folder, 'cache') };
}

/** Returns a module that fakes the version of Node for the launcher, but not for the Node process that the launcher starts. */
function claimOf(version: string): string {
  const claim = `if (!process.connected) Object.defineProperty(process, 'version', { value: ${JSON.stringify(version)} });`;
  return `data:text/javascript,${encodeURIComponent(claim)}`;
}

async function nameplate(version: string, ...args: string[]) {
  const child = start(version, ...args);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}
