import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from './pages.ts';
import { TYPED_PRELUDES } from './preludes.ts';
import { type Sample, samplesOf } from './read-samples.ts';
import { foldersOf } from './test-pages.ts';

/** Tests that each program of the guides compiles unchanged with the strictest options of the TypeScript compiler. */
const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  erasableSyntaxOnly: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2024',
  lib: ['es2024'],
  types: ['node'],
};
const PACKAGES = [
  ...[
    '@hono/node-server',
    '@types/express',
    '@types/node',
    '@types/react',
    'express',
    'fastify',
    'h3',
    'hono',
  ],
  ...['next', 'react', 'standardwebhooks', 'stripe', 'typescript', 'vitest'],
];
const BROWSER = ['dom', 'dom.iterable', 'es2024'];
const root = path.resolve(import.meta.dirname, '../..');
const programs = Object.keys(PAGES).flatMap((page) =>
  samplesOf(page)
    .filter(({ language }) => ['js', 'jsx', 'ts'].includes(language))
    .map((sample) => ({ page, ...sample })),
);
const isTab = ({ attributes }: Sample) => attributes['tab'] !== undefined;
/** Leaves out the JavaScript programs in tabs, because another tab has the same program in TypeScript. */
const compiled = programs.filter((sample) => sample.language === 'ts' || !isTab(sample));
let folder: string;
let compiler: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-typescript-'));
  const folders = foldersOf(PACKAGES);
  for (const [name, target] of Object.entries({ nameplate: root, ...folders })) {
    const link = path.join(folder, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  compiler = path.join(folder, 'node_modules/typescript/bin/tsc');
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(Object.groupBy(compiled, ({ page }) => page)))(
  'the programs of %s compile as TypeScript in the strictest mode',
  async (page, samples = []) => {
    const at = path.join(folder, page);
    const isBrowser = samples.some(
      ({ language, attributes }) => language === 'jsx' || 'browser' in attributes,
    );
    const compilerOptions = {
      ...OPTIONS,
      ...(page === 'nextjs' || isBrowser
        ? { module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx', lib: BROWSER }
        : { module: 'nodenext' }),
    };
    for (const sample of samples) save(at, sample);
    writeFileSync(path.join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    expect(await output(process.execPath, [compiler, '-p', at])).toBe('');
  },
  60_000,
);

test.each(compiled.filter(isTab))(
  'the JavaScript program on line $line of $page equals the TypeScript program without its types',
  (sample) => {
    const before = programs.findLast(({ page, line }) => page === sample.page && line < sample.line);
    expect(words(before?.text ?? '')).toBe(words(stripTypeScriptTypes(sample.text)));
  },
);

/** Saves a program as a module, with declarations of the names that its page defines elsewhere. */
function save(at: string, { line, language, attributes, text }: Sample): void {
  const name = attributes['file'] ?? `sample-${line}.${language === 'jsx' ? 'tsx' : 'ts'}`;
  const target = path.join(at, name.replace(/\.mjs$/, '.mts'));
  mkdirSync(path.dirname(target), { recursive: true });
  const prelude = TYPED_PRELUDES[attributes['prelude'] ?? ('browser' in attributes ? 'browser' : '')] ?? '';
  writeFileSync(target, `${prelude}${text}\nexport {};\n`);
}

/** Returns a program with one space between its words. */
function words(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([().{},;]) ?/g, '$1')
    .replaceAll(',}', '}')
    .replaceAll(/,? ?\{\}from /g, ' from ');
}

/** Runs a program. @returns the program's output, even if the program fails. */
function output(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => execFile(program, args, (_, stdout, stderr) => resolve(stdout + stderr)));
}
