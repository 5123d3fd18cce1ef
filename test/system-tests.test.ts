import path from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, readSources, type Source } from './sources.ts';

/**
 * `npm test` ends within minutes, because it leaves out the system tests, which start programs or compute for long. The names of their
 * files end in `.system.test.ts`.
 */
const STARTS_PROGRAMS = new Set(['node:child_process', 'execa', 'playwright-core']);

/** A file of the product that starts a program. */
const STARTS_NGINX = 'service/edge/nginx/nginx-edge.ts';

/**
 * Files that may start a program outside of system tests: they run `openssl`, a linter or a shell once, or install a
 * package once for all files.
 */
const ONE_CALL = new Set([
  'test/core/certificates/x509.test.ts',
  'test/emulator/edge/local-ca.test.ts',
  'test/fixtures/acme/throwaway-ca.ts',
  'test/fixtures/debian-package.ts',
  'test/fixtures/postgres/postgres-server.ts',
  'test/fixtures/run-tool.ts',
  'test/schema/openapi/openapi.test.ts',
  'test/service/operator/next-commands.test.ts',
]);

/** System tests that start no program, but keep a core busy for more than ten seconds, or repeat tests of `npm test` on another target. */
const BUSY = new Set([
  'test/conformance/openapi/emulator-and-service.system.test.ts',
  'test/conformance/openapi/openapi-fuzz.system.test.ts',
  'test/conformance/service.system.test.ts',
  'test/dashboard/dashboard-fuzz.system.test.ts',
  'test/emulator/edge/strangers.system.test.ts',
  'test/store/jobs/claim-cost.system.test.ts',
  'test/store/plans.system.test.ts',
  'test/store/sqlite-on-disk.system.test.ts',
]);

/** The modules that each file of the test folder imports at run time. */
const imports = new Map(
  readSources('test')
    .filter(({ file }) => !/^test\/(?:soak|bench)\//.test(file))
    .map((source) => [source.file, importsAtRunTime(source)]),
);

test('the name of a test file ends in .system.test.ts if and only if the file starts programs or is in BUSY', () => {
  const tests = [...imports.keys()].filter((file) => /\.test\.tsx?$/.test(file));
  const wrong = tests.flatMap((file) => {
    const starter = starterBehind(file);
    const isNamed = file.endsWith('.system.test.ts');
    if (isNamed === (starter !== null || BUSY.has(file))) return [];
    return isNamed ? `${file} starts nothing` : `${file} starts programs through ${starter}`;
  });
  expect(wrong).toEqual([]);
});

test('each file that may start a program outside of system tests does start programs', () => {
  expect([...ONE_CALL].filter((file) => !startsPrograms(file))).toEqual([]);
});

/** Returns the file that makes a test start programs: the test itself, or an imported file of the test folder. Null if no file does. */
function starterBehind(file: string, seen = new Set<string>()): string | null {
  if (seen.has(file)) return null;
  seen.add(file);
  if (startsPrograms(file) && !ONE_CALL.has(file)) return file;
  for (const specifier of imports.get(file) ?? []) {
    const starter = starterBehind(path.posix.join(path.posix.dirname(file), specifier), seen);
    if (starter !== null) return starter;
  }
  return null;
}

function startsPrograms(file: string): boolean {
  return (imports.get(file) ?? []).some(
    (specifier) => STARTS_PROGRAMS.has(specifier) || specifier.endsWith(STARTS_NGINX),
  );
}

function importsAtRunTime(source: Source): string[] {
  return importsOf(source).flatMap(({ specifier, typeOnly }) =>
    typeOnly || specifier === undefined ? [] : specifier,
  );
}
