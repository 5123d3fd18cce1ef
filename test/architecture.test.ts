import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])('every file that %s names exists', (page) => {
  const lines = readFileSync(path.join(root, page), 'utf8').split('\n');
  const named = lines.flatMap(filesNamedIn);
  const missing = named.filter((file) => !exists(file));
  expect(missing, `${page} names these files, which do not exist. Write full paths from the root`).toEqual(
    [],
  );
  if (page === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(40);
});

test('a file name without a folder is a file next to the one named before it', () => {
  expect(filesNamedIn('| `shared/core/a.ts`, `b.ts`, `test/a/*-pieces.ts` | `c.ts` |')).toEqual([
    'shared/core/a.ts',
    'shared/core/b.ts',
    'test/a/*-pieces.ts',
    'test/a/c.ts',
  ]);
  expect(filesNamedIn('a file in `shared/store/migrations`, its line in `migrate.ts`')).toEqual([
    'shared/store/migrations',
    'shared/store/migrations/migrate.ts',
  ]);
});

/** Returns the paths from the root that a line names in backticks. A Markdown table has a row on each line. */
function filesNamedIn(line: string): string[] {
  let folder = '.';
  return [...line.matchAll(NAMED)].map(([, full, bare = '']) => {
    if (full === undefined) return existsSync(path.join(root, bare)) ? bare : path.posix.join(folder, bare);
    folder = path.posix.extname(full) === '' ? full : path.posix.dirname(full);
    return full;
  });
}

/** Matches a path below a top-level folder, or the name of a source file, a page or a configuration file. */
const NAMED =
  /`(?:((?:bin|cli|emulator|service|shared|test)\/[\w/.*-]*\w)|([\w.*-]+\.(?:tsx?|js|json|md|ya?ml)))`/g;

function exists(file: string): boolean {
  // Decisions are named by their number alone.
  return globSync(`${file}{,-*.md}`, { cwd: root }).length > 0;
}
