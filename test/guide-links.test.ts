import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'shared/docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('shared/docs', name)),
];

// `docs-pages.test.ts` tests the served pages, which leave out links to sources. This test checks the links to sources, which readers of
// the repository use.
test.each(documents)('%s links only files of the repository that exist', (document) => {
  const text = readFileSync(path.join(root, document), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target.split('#')[0] ?? '');
  const files = targets.filter((target) => target !== '' && !/^(https?:|\{)/.test(target));
  const folder = path.join(root, path.dirname(document));
  expect(files.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
});
