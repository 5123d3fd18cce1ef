import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const manifest: { exports: Record<string, unknown> } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
const modules = Object.keys(manifest.exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => name.replace('.', 'nameplate'));

/** Tests the build with a program that depends on the package, as a user's program does. */
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-consumer-'));
  mkdirSync(path.join(folder, 'node_modules/@types'), { recursive: true });
  symlinkSync(root, path.join(folder, 'node_modules/nameplate'), 'dir');
  symlinkSync(
    path.join(root, 'node_modules/@types/node'),
    path.join(folder, 'node_modules/@types/node'),
    'dir',
  );
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each(modules)("the package's module %s can be imported after the build", async (name) => {
  const program = `console.log(Object.keys(await import(${JSON.stringify(name)})).length)`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: folder },
  );
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(stderr).toBe('');
});
