import path from 'node:path';
import { expect, test } from 'vitest';
import { type Import, importsOf, readSources, type Source } from './sources.ts';

/** Allowed imports between floors. A floor may always import from itself. */
const CORE = ['core'];
const SCHEMA = ['schema', ...CORE];
const PORTS = ['ports', ...SCHEMA];
const ADAPTERS = ['adapters', ...PORTS];
const STORE = ['store', ...SCHEMA];
const OPERATIONS = ['operations', 'ports', ...STORE];
const SHARED: Record<string, string[]> = {
  core: CORE,
  schema: SCHEMA,
  ports: PORTS,
  adapters: ADAPTERS,
  store: STORE,
  operations: OPERATIONS,
  dns: ['dns', ...ADAPTERS],
  'docs-site': ['docs-site', ...ADAPTERS],
  http: ['http', 'docs-site', 'adapters', ...OPERATIONS],
  jobs: ['jobs', ...OPERATIONS],
  edge: ['edge', 'adapters', ...OPERATIONS],
  connect: ['connect', 'adapters', ...OPERATIONS],
  dashboard: ['dashboard', 'connect', 'http', 'adapters', ...OPERATIONS],
  embed: ['embed', 'connect', 'http', 'adapters', ...OPERATIONS],
  client: ['client', ...SCHEMA],
};
const SHARED_FLOORS = Object.keys(SHARED).map((floor) => `shared/${floor}`);
const FLOORS: Record<string, string[]> = {
  bin: ['bin', 'cli', 'service', 'emulator', ...SHARED_FLOORS],
  cli: ['cli', 'emulator', ...SHARED_FLOORS],
  emulator: ['emulator', ...SHARED_FLOORS],
  service: ['service', ...SHARED_FLOORS],
  ...Object.fromEntries(
    Object.entries(SHARED).map(([floor, below]) => [
      `shared/${floor}`,
      below.map((name) => `shared/${name}`),
    ]),
  ),
};

/** Packages that core may import: they must contain only pure functions. */
const PURE = ['ipaddr.js', 'node:crypto', 'node:net', 'node:url', 'node:zlib', 'tldts'];

test('every import goes to a layer that its layer may import', () => {
  const sources = readSources('bin', 'cli', 'emulator', 'service', 'shared');
  expect(sources.length).toBeGreaterThan(0);
  expect(violations(sources)).toEqual([]);
});

test("the edge's folder wire imports nothing from the folders forwarding and listeners", () => {
  const wire = readSources('shared/edge').filter(({ file }) => file.startsWith('shared/edge/wire/'));
  const imported = wire.flatMap((source) => importsOf(source).map(({ specifier = '' }) => specifier));
  expect(imported.length).toBeGreaterThan(0);
  expect(imported.filter((specifier) => /\/(forwarding|listeners)\//.test(specifier))).toEqual([]);
});

test('no file imports itself through other files, apart from types', () => {
  const imported = new Map(
    readSources('bin', 'cli', 'emulator', 'service', 'shared').map((source) => [
      source.file,
      importsOf(source)
        .filter(({ typeOnly, specifier = '' }) => !typeOnly && specifier.startsWith('.'))
        .map(({ specifier = '' }) => path.posix.join(path.posix.dirname(source.file), specifier)),
    ]),
  );
  expect(circles(imported)).toEqual([]);
  expect(
    circles(
      new Map([
        ['a.ts', ['b.ts']],
        ['b.ts', ['c.ts', 'd.ts']],
        ['c.ts', ['a.ts']],
      ]),
    ),
  ).toEqual(['a.ts > b.ts > c.ts > a.ts']);
});

/** Returns the circles among the imports of files. */
function circles(imported: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, above: readonly string[]): void => {
    if (above.includes(file)) found.push([...above.slice(above.indexOf(file)), file].join(' > '));
    if (done.has(file)) return;
    done.add(file);
    for (const next of imported.get(file) ?? []) walk(next, [...above, file]);
  };
  for (const file of imported.keys()) walk(file, []);
  return found;
}

test('every source file belongs to a layer', () => {
  const files = readSources('bin', 'cli', 'emulator', 'service', 'shared').map(({ file }) => file);
  expect(files.filter((file) => FLOORS[floorOf(file)] === undefined)).toEqual([]);
});

test.each([
  ['shared/core/a.ts', "import { b } from '../schema/b.ts';"],
  ['shared/core/a.ts', "import type { B } from '../ports/b.ts';"],
  ['shared/core/a.ts', "import {\n  b,\n  c,\n} from '../store/b.ts';"],
  ['shared/core/a.ts', "export { b } from '../operations/b.ts';"],
  ['shared/core/a.ts', "import '../http/b.ts';"],
  ['shared/core/a.ts', "const b = await import('../jobs/b.ts');"],
  ['shared/core/a.ts', "type B = typeof import('../edge/b.ts');"],
  ['shared/core/a.ts', "const url = 'http://a'; /* one */ import { b } from '../connect/b.ts'; // two"],
  ['shared/core/a.ts', "type B = import('../edge/b.ts').B;"],
  ['shared/core/a.ts', 'const b = await import(`../jobs/b.ts`);'],
  ['shared/core/a.ts', "import { z } from 'zod';"],
  ['shared/core/a.ts', "import { readFileSync } from 'node:fs';"],
  ['shared/schema/a.ts', "import { b } from '../client/b.ts';"],
  ['shared/ports/a.ts', "import type { B } from '../store/b.ts';"],
  ['shared/ports/a.ts', "import { b } from '../adapters/b.ts';"],
  ['shared/operations/a.ts', "import { b } from '../adapters/b.ts';"],
  ['shared/store/a.ts', "import type { B } from '../ports/b.ts';"],
  ['shared/operations/a.ts', "import { b } from '../jobs/b.ts';"],
  ['shared/http/routes/a.ts', "import { b } from '../../edge/b.ts';"],
  ['shared/jobs/a.ts', "import { b } from '../connect/b.ts';"],
  ['shared/client/a.ts', "import { b } from '../schema/b.ts';"],
  ['shared/client/a.ts', "import type { B } from '../ports/b.ts';"],
  ['shared/docs/a.ts', "import { b } from '../core/b.ts';"],
  ['shared/a.ts', "import { b } from './core/b.ts';"],
  ['shared/http/a.ts', "import { b } from '../../emulator/b.ts';"],
  ['emulator/a.ts', "import { b } from '../service/b.ts';"],
  ['service/a.ts', "import { b } from '../emulator/b.ts';"],
  ['service/a.ts', "import { b } from '../cli/b.ts';"],
  ['emulator/a.ts', "import { b } from '../cli/b.ts';"],
  ['cli/commands/a.ts', "import { b } from '../../service/b.ts';"],
  ['cli/a.ts', "import { b } from '../bin/b.ts';"],
  ['bin/a.ts', "import { b } from '../test/b.ts';"],
])('the file %s may not contain the import %s', (file, text) => {
  expect(violations([{ file, text }])).toHaveLength(1);
});

test.each([
  ['bin/a.ts', "import { b } from '../service/commands/b.ts';"],
  ['cli/a.ts', "const { b } = await import('../emulator/b.ts');"],
  ['shared/schema/a.ts', "import { z } from 'zod';"],
  ['shared/core/a.ts', "import { createHmac } from 'node:crypto';"],
  ['shared/http/a.ts', "import type { B } from '../ports/b.ts';"],
  ['shared/operations/a.ts', "import { b } from '../store/deep/b.ts';"],
  ['shared/client/a.ts', "import type { B } from '../schema/b.ts';"],
  ['shared/client/a.ts', "import { b } from '../core/b.ts';"],
  ['shared/core/a.ts', "// import { b } from '../http/b.ts';"],
  ['shared/core/a.ts', 'const b = "import { b } from \'../http/b.ts\'";'],
])('the file %s may contain %s', (file, text) => {
  expect(violations([{ file, text }])).toEqual([]);
});

/** Returns one line for each violation: `file -> import`. */
function violations(sources: Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((imported) => !isAllowed(source.file, imported))
      .map(({ specifier }) => `${source.file} -> ${specifier ?? 'a computed import()'}`),
  );
}

function isAllowed(file: string, { specifier, typeOnly }: Import): boolean {
  // A computed `import()` cannot be checked, so it is a violation.
  if (specifier === undefined) return false;
  const from = floorOf(file);
  if (!specifier.startsWith('.')) return from !== 'shared/core' || PURE.includes(specifier);
  const to = floorOf(path.posix.join(path.posix.dirname(file), specifier));
  // The SDK must not include zod, so it may import only types of the schema.
  if (from === 'shared/client' && to === 'shared/schema' && !typeOnly) return false;
  return FLOORS[from]?.includes(to) ?? false;
}

function floorOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return top === 'shared' ? `shared/${folder}` : top;
}
