import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { installApart } from '../fixtures/install-apart.ts';
import { packPackage } from '../fixtures/packed-package.ts';

/**
 * Tests the tarball of the package: installs it as a user does, from npm's configured registry, and uses it with users' versions of Node
 * and compilers.
 */
const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);
const compilers = installApart(import.meta.dirname);
const oldNode = findOldNode();
const MB = 1024 * 1024;

describeUnlessMissing('missing' in compilers ? compilers.missing : null, 'The installed tarball', () => {
  let folder: string;
  let installation: string;
  let installed: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-package-'));
    const tarball = await packPackage(folder);
    writeFileSync(path.join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const { stdout, stderr } = await run('npm', ['install', '--no-audit', '--no-fund', tarball], {
      cwd: folder,
      env: { ...process.env, ...(oldNode !== null && { PATH: `${oldNode}:${process.env['PATH']}` }) },
    });
    installation = stdout + stderr;
    installed = path.join(folder, 'node_modules/nameplate');
    if ('missing' in compilers) throw new Error(compilers.missing);
    for (const each of readdirSync(path.join(compilers.folder, 'node_modules'))) {
      const target = path.join(folder, 'node_modules', each);
      if (!existsSync(target)) symlinkSync(path.join(compilers.folder, 'node_modules', each), target);
    }
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the installation consists of two packages of at most 25 MB, and npm warns of nothing', () => {
    expect(installation).toContain('added 2 packages');
    expect(installation).not.toMatch(/warn/i);
    const sizes = filesOf(installed).map((file) => statSync(file).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25 * MB);
  });

  test('the installed package contains no file of the build, no source map, and no path of the machine that built it', () => {
    const files = filesOf(installed);
    expect(
      files.filter(
        (file) =>
          /(?:\.map|\.tsbuildinfo|meta\.json|tsconfig.*\.json|\.tsx?)$/.test(file) &&
          !/\.d\.c?ts$/.test(file),
      ),
    ).toEqual([]);
    const built = files.filter((file) => /\.(?:js|ts|json)$/.test(file));
    expect(built.filter((file) => readFileSync(file, 'utf8').includes(root))).toEqual([]);
    expect(built.filter((file) => readFileSync(file, 'utf8').includes('sourceMappingURL=data:'))).toEqual([]);
  });

  test('the installed package declares its types without the types of zod', () => {
    const declarations = filesOf(path.join(installed, 'dist/types'));
    expect(declarations.length).toBeGreaterThan(3);
    for (const file of declarations) expect(readFileSync(file, 'utf8'), file).not.toMatch(/zod/i);
  });

  test('the installed package contains every file that its exports name', () => {
    const { exports } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    const named = JSON.stringify(exports).match(/\.\/[^"]+\.(?:json|c?js|d\.c?ts)(?=")/g) ?? [];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(path.join(installed, file)))).toEqual([]);
  });

  const TSC = {
    '5.9': () => path.join(folder, 'node_modules/typescript/bin/tsc'),
    '7': () => path.join(root, 'node_modules/typescript/bin/tsc'),
  };

  test.each([
    { version: '5.9', moduleResolution: 'nodenext' },
    { version: '7', moduleResolution: 'bundler' },
  ] as const)(
    'compiles strictly with TypeScript $version and $moduleResolution resolution, libraries included',
    async ({ version, moduleResolution }) => {
      for (const { name, lib, types, program } of PROGRAMS) {
        const file = `${name}.ts`;
        writeFileSync(path.join(folder, file), program);
        const compilerOptions = {
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
          target: 'es2022',
          lib,
          types,
          module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
          moduleResolution,
        };
        const config = path.join(folder, `tsconfig.${name}.json`);
        writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
        const { stdout } = await run(process.execPath, [TSC[version](), '-p', config]).catch(
          (error) => error,
        );
        expect(stdout, name).toBe('');
      }
    },
    120_000,
  );

  test("the installed package's types refuse a wrong use, so the bundle has not lost them", async () => {
    writeFileSync(
      path.join(folder, 'wrong.ts'),
      "import { createClient } from 'nameplate/client';\nconst client = createClient({ apiKey: 'a', baseUrl: 'b' });\nexport const id: number = (await client.domains.get('dom_1')).id;\n",
    );
    const config = path.join(folder, 'tsconfig.wrong.json');
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['wrong.ts'] }));
    const { stdout } = await run(process.execPath, [TSC['7'](), '-p', config]).catch((error) => error);
    expect(stdout).toContain("Type 'string' is not assignable to type 'number'");
  });

  test('the installed package runs its client, webhooks and component on Node 20 without a warning, and says what needs Node 24', async ({
    skip,
  }) => {
    if (oldNode === null) return skip('there is no Node 20 or 22 in PATH');
    const node = path.join(oldNode, 'node');
    const program = `
      for (const name of ['client', 'webhooks', 'connect']) console.log(Object.keys(await import('nameplate/' + name)).length > 0);
      const { startEmulator } = await import('nameplate/emulator');
      await startEmulator().catch(({ message }) => console.log(message));`;
    const { stdout, stderr } = await run(node, ['--input-type=module', '--eval', program], { cwd: folder });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^true\ntrue\ntrue\nstartEmulator needs Node 24 or newer/);
  });

  test('the installed package runs its commands on Node 24, with jq', async () => {
    const bin = path.join(installed, 'bin/nameplate.js');
    const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: path.join(folder, 'cache') };
    const { stdout } = await run(
      process.execPath,
      [
        bin,
        'emulator',
        'exec',
        '--ephemeral',
        '--',
        process.execPath,
        bin,
        'domains',
        'list',
        '--jq',
        '.data | length',
      ],
      { cwd: folder, env },
    );
    expect(stdout.trim().split('\n').at(-1)).toBe('0');
  });
});

/** One program for each module of the package, with only the libraries and types that the module's users have. */
const PROGRAMS = [
  {
    name: 'client',
    lib: ['es2022', 'dom'],
    types: [],
    program: `import { ApiError, type Client, createClient } from 'nameplate/client';
const client: Client = createClient({ apiKey: 'sk_test_1', baseUrl: 'http://127.0.0.1:4400' });
const { hostname, status } = await client.domains.create({ hostname: 'careers.acme.com' });
for await (const domain of client.domains.all()) console.log(domain.certificate?.not_after, hostname, status);
console.log(ApiError);`,
  },
  {
    name: 'webhooks',
    lib: ['es2022', 'dom'],
    types: [],
    program: `import { verifyWebhook } from 'nameplate/webhooks';
export const verify = verifyWebhook;`,
  },
  {
    name: 'connect',
    lib: ['es2022', 'dom'],
    types: [],
    program: `import type { ConnectStatusDetail } from 'nameplate/connect';
import { NameplateConnect } from 'nameplate/connect/react';
document.querySelector('nameplate-connect')!.token = 'ct_1';
export const shown = NameplateConnect({ token: 'ct_1', baseUrl: '', onActive: (detail: ConnectStatusDetail) => detail.hostname });`,
  },
  {
    name: 'emulator',
    lib: ['es2024', 'esnext.disposable'],
    types: ['node'],
    program: `import { startEmulator } from 'nameplate/emulator';
const emulator = await startEmulator({ port: 0 });
await emulator.clock.advance('10s');
await emulator.close();`,
  },
];

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Returns a folder in PATH with Node 20 or 22, or null. */
function findOldNode(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const major = (folder: string) => {
    const node = path.join(folder, 'node');
    if (!existsSync(node)) return null;
    return Number.parseInt(execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1), 10);
  };
  const found = folders.find((folder) => [20, 22].includes(major(folder) ?? 0));
  if (found === undefined) console.warn('SKIPPED in part: there is no Node 20 or 22 in PATH');
  return found ?? null;
}
