import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROSE_RULES } from './prose-rules.ts';
import { readPassages, readProse, sentencesOf } from './read-prose.ts';

const root = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['bin', 'cli', 'emulator', 'service', 'shared', 'test'];
/** The test leaves out its own folder, which quotes sentences that break the rules. */
const LEFT_OUT = /(?:^|\/)node_modules\/|^test\/prose\//;

const files = globSync(['*.md', ...FOLDERS.map((folder) => `${folder}/**/*.{md,ts,tsx}`)], { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !LEFT_OUT.test(file))
  .sort();
const sentences = files.flatMap((file) => readProse(file, readFileSync(path.join(root, file), 'utf8')));

describe.each(Object.entries(PROSE_RULES))(
  'the prose rule "%s"',
  (_, { kind, broken, breaches, allowed }) => {
    test('applies to every comment, guide and test title', () => {
      expect(sentences.length).toBeGreaterThan(5_000);
      const ruled = sentences.filter((sentence) => kind === undefined || sentence.kind === kind);
      const found = ruled.flatMap(({ file, line, lead, text: sentence }) => {
        const text = kind === 'title' ? `${lead}${sentence}` : sentence;
        const reason = broken(text);
        return reason === null ? [] : [`${file}:${line}: ${reason}: ${text}`];
      });
      expect(found).toEqual([]);
    });

    test.each(breaches)('refuses: %s', (breach) => {
      expect(sentencesOf(breach).some((sentence) => broken(sentence) !== null)).toBe(true);
    });

    test.each(allowed)('allows: %s', (sentence) => {
      expect(sentencesOf(sentence).map(broken)).toEqual(sentencesOf(sentence).map(() => null));
    });
  },
);

test('readProse returns comments, list items and test titles as sentences', () => {
  const text = [
    '/** Returns a row. Null if `a.b` is gone.',
    ' *',
    ' * @throws Error if it is late.',
    ' */',
    "test('says so', () => {",
    '  // It waits',
    '  // for a row.',
    '});',
  ].join('\n');
  expect(readProse('a.test.ts', text).map((sentence) => sentence.text)).toEqual([
    'Returns a row.',
    'Null if code is gone.',
    'Error if it is late.',
    'It waits for a row.',
    'says so',
  ]);
  expect(
    readProse('a.md', '# A\n\n- One. Two.\n  Three.\n- Four.\n\n```\nIt.\n```').map((s) => s.text),
  ).toEqual(['One.', 'Two.', 'Three.', 'Four.']);
});

test('readPassages returns a tag with its text, and a title with the groups around it', () => {
  const text = [
    '/** Prints a row. @returns its length. @throws Error if it is late. */',
    "describe('a row', () => {",
    "  test('is printed', () => {});",
    '});',
    "test('the table ends', () => {});",
  ].join('\n');
  expect(readPassages('a.test.ts', text).map(({ lead = '', text: read }) => lead + read.trim())).toEqual([
    'Prints a row.',
    '@returns its length.',
    '@throws Error if it is late.',
    'a row',
    'a row › is printed',
    'the table ends',
  ]);
});

test('readPassages finds a title after a table of cases, and a group with arguments before its title', () => {
  const text = [
    "describe.each(['lock'])('the %s', () => {",
    '  test.each([',
    "    ['once'],",
    "  ])('is released %s', () => {});",
    '});',
    "describeUnless(isMissing(KNOT), 'the zone', () => {",
    "  test.each(['A', 'NS'])('has %s', () => {});",
    '});',
  ].join('\n');
  expect(readPassages('a.test.ts', text).map(({ lead = '', text: read }) => lead + read)).toEqual([
    'the %s',
    'the %s › is released %s',
    'the zone',
    'the zone › has %s',
  ]);
});
