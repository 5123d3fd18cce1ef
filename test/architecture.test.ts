import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])('every file that %s names exists', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8');
  const named = [...text.matchAll(/`((?:bin|cli|emulator|service|shared|test)\/[\w/.-]+\w)`/g)].map(
    ([, file = '']) => file,
  );
  // A decision is named by its number.
  const missing = named.filter((file) => globSync(`${file}{,-*.md}`, { cwd: root }).length === 0);
  expect(missing).toEqual([]);
  if (page === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(40);
});
