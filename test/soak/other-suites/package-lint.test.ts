import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { installApart } from '../../fixtures/install-apart.ts';
import { packPackage } from '../../fixtures/packed-package.ts';
import { conclude, type Excuses } from './conclude.ts';

/** Runs publint and attw ("Are the types wrong?") on the packed package, with all their rules. */
const ATTW_EXCUSES: Excuses = {
  'CJSResolvesToESM ./emulator node16-cjs':
    'The emulator needs Node 24, whose `require` loads ES modules, so it has no second build in CommonJS.',
};

interface Publint {
  publint(options: { pack: { tarball: ArrayBuffer }; strict: boolean }): Promise<{
    messages: { code: string; path: string[] }[];
  }>;
}

interface AttwReport {
  analysis: {
    entrypoints: Record<string, { resolutions: object }>;
    problems: { kind: string; entrypoint?: string; resolutionKind?: string }[];
  };
}

const installed = installApart(import.meta.dirname);

describeUnlessMissing('missing' in installed ? installed.missing : null, 'The packed package', () => {
  if ('missing' in installed) return;
  const { folder } = installed;
  const packed = mkdtempSync(join(tmpdir(), 'nameplate-packed-'));
  let tarball: string;
  beforeAll(async () => {
    tarball = await packPackage(packed);
  });
  afterAll(() => rmSync(packed, { recursive: true }));

  test('publint finds no fault in the package', async () => {
    const module = createRequire(join(folder, 'package.json')).resolve('publint');
    const { publint } = (await import(pathToFileURL(module).href)) as Publint;
    const bytes = new Uint8Array(readFileSync(tarball));
    const { messages } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    const found = messages.map(({ code, path }) => `${code} ${path.join('.')}`);
    conclude('publint', 'all rules', found, {});
  });

  test('attw finds the types of every entry point of the package', async () => {
    const attw = join(folder, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const options = [attw, tarball, '--format=json', '--no-definitely-typed'];
    // attw exits with 1 if it finds problems, even excused ones.
    const { stdout } = await promisify(execFile)(process.execPath, options, { maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    );
    const { entrypoints, problems } = (JSON.parse(stdout) as AttwReport).analysis;
    const ways = Object.values(entrypoints).flatMap(({ resolutions }) => Object.keys(resolutions));
    expect(ways.length).toBeGreaterThanOrEqual(24);
    const found = problems.map(
      ({ kind, entrypoint, resolutionKind }) => `${kind} ${entrypoint} ${resolutionKind}`,
    );
    conclude(
      'attw',
      `${ways.length} ways to import ${Object.keys(entrypoints).length} entry points`,
      found,
      ATTW_EXCUSES,
    );
  });
});
