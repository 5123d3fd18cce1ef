import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const FOLDERS = ['bin', 'cli', 'emulator', 'service', 'shared', 'test'];
const sources = filesAt(`{${FOLDERS}}/**/*.{ts,tsx,lua}`);
const pages = filesAt('*.md', 'shared/**/*.md');
/** `bin/build.ts` writes this file. */
const BUILT = 'THIRD_PARTY_LICENSES.md';
/** The number of files with each name in the repository. */
const occurrences = Map.groupBy([...sources, ...pages, BUILT], (file) => path.posix.basename(file));

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])('every file that %s names exists', (page) => {
  const named = linesOf(page).flatMap(filesNamedIn);
  const missing = named.filter((file) => !exists(file));
  expect(missing, `${page} names these files, which do not exist. Write full paths from the root`).toEqual(
    [],
  );
  if (page === 'ARCHITECTURE.md') expect(named.length).toBeGreaterThan(40);
});

test('a file name without a folder is looked up in the folder of the file named before it', () => {
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

/** Texts that name files, by place. In a guide, the check ignores a name without a folder, because it may mean a file of the reader. */
const PLACES: Record<string, () => { file: string; lines: string[] }[]> = {
  'the comments of all sources': () =>
    sources.map((file) => ({ file, lines: linesOf(file).filter((line) => COMMENT.test(line)) })),
  'the guides': () =>
    pages
      .filter((file) => file.startsWith('shared/docs/'))
      .map((file) => ({ file, lines: linesOf(file).map((line) => line.replaceAll(BARE_NAME, '')) })),
  // The sections Context and Rejected may name files that no longer exist or never did.
  'the decisions, without Context and Rejected': () =>
    pages
      .filter((file) => file.startsWith('shared/decisions/'))
      .map((file) => ({ file, lines: linesOf(file).join('\n').replaceAll(HISTORY, '').split('\n') })),
};

describe.each(Object.entries(PLACES))('the file names in %s', (_, read) => {
  test('belong to files that exist', () => {
    const places = read();
    expect(places.flatMap(({ lines }) => lines.flatMap(filesNamedIn))).not.toEqual([]);
    const missing = places.flatMap(({ file, lines }) =>
      missingIn(file, lines).map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

test('a comment may name a file in its own folder, the only file of that name, or a whole path', () => {
  const comment = [
    ' * `sources.ts`, `ids.ts`, `run.ts`, `test/run.ts`, `docs/api.md`, `decisions/0092` and `test/*.test.ts` exist.',
    `// \`${GONE}\`, \`test/${GONE}\` and \`decisions/${GONE}\` do not.`,
  ];
  expect(missingIn('test/architecture.test.ts', comment)).toEqual([
    GONE,
    `test/${GONE}`,
    `shared/decisions/${GONE}`,
  ]);
  expect(missingIn('cli/commands.ts', ['// `run.ts` may be any of several.'])).toEqual(['run.ts']);
});

const GONE = 'no-such-file.ts';
const COMMENT = /^\s*(?:\/\/|\/\*|\*|--)|(?:\/\/|--) /;
const HISTORY = /^## (?:Context|Rejected)\n(?:(?!## ).*\n)*/gm;
const BARE_NAME = /`[^`/]+`/g;

/** Returns the names that match no file. Also returns a name without a folder if several files outside the folder of `file` have that name. */
function missingIn(file: string, lines: string[]): string[] {
  return lines.flatMap((line) =>
    [...line.matchAll(NAMED)].flatMap(([, full, bare = '']) => {
      if (full !== undefined) {
        const from = full.replace(/^(?=docs\/|decisions\/)/, 'shared/');
        return exists(from) ? [] : [from];
      }
      if (!/\.(?:tsx?|lua|md)$/.test(bare)) return [];
      const known =
        existsSync(path.join(root, path.dirname(file), bare)) || occurrences.get(bare)?.length === 1;
      return known ? [] : [bare];
    }),
  );
}
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
  /`(?:((?:bin|cli|emulator|service|shared|test|docs|decisions)\/[\w/.*-]*\w)|(\w[\w.*-]*\.(?:tsx?|js|json|lua|md|ya?ml)))`/g;

function exists(file: string): boolean {
  // Comments name a decision by its number alone.
  return globSync(`${file}{,-*.md}`, { cwd: root }).length > 0;
}

function filesAt(...patterns: string[]): string[] {
  const isOurs = (file: string) => !file.includes('node_modules/');
  return globSync(patterns, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter(isOurs)
    .sort();
}

function linesOf(file: string): string[] {
  return readFileSync(path.join(root, file), 'utf8').split('\n');
}
