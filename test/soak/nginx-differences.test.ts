import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectDifferences } from '../edge/nginx/hold-to.ts';

/** Runs the tests that nginx may fail. A test that passes must be removed from the list of exceptions. */
const FOLDER = path.resolve(import.meta.dirname, '../edge/nginx');
const suites = readdirSync(FOLDER).flatMap((file) => {
  const [, suite] =
    /holdTo\(\(\) => import\('(.*)'\)\)/.exec(readFileSync(path.join(FOLDER, file), 'utf8')) ?? [];
  return suite === undefined ? [] : [path.resolve(FOLDER, suite)];
});

await expectDifferences(async () => {
  for (const suite of suites) await import(suite);
});
