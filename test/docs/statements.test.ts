import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FOREIGN, STATEMENT_RULES } from './statement-rules.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pages = ['README.md', ...globSync('shared/docs/*.md', { cwd: root }).sort()].map(
  (file) => [file, readFileSync(path.join(root, file), 'utf8')] as const,
);

test.each(pages)('the page %s says nothing that the code contradicts', (_, text) => {
  const found = linesOutsideOfCode(text).flatMap(([number, line]) =>
    Object.entries(STATEMENT_RULES).flatMap(([rule, { wrong }]) =>
      wrong(line).map((said) => `line ${number}: ${said}: ${rule}`),
    ),
  );
  expect(found).toEqual([]);
});

test.each(Object.entries(STATEMENT_RULES))(
  'the rule “%s” finds a sentence that breaks the rule',
  (_, { wrong, breaches }) => {
    for (const breach of breaches) expect(wrong(breach), breach).not.toEqual([]);
  },
);

test('every name in the list of foreign names is in a guide', () => {
  const all = pages.map(([, text]) => text).join('\n');
  expect(FOREIGN.filter((name) => !all.includes(name))).toEqual([]);
});

/** Returns the lines outside code blocks, with their numbers. */
function linesOutsideOfCode(text: string): [number, string][] {
  let isCode = false;
  return text.split('\n').flatMap((line, index): [number, string][] => {
    const isFence = /^ *(?:`{3,}|~{3,})/.test(line);
    if (isFence) isCode = !isCode;
    return isCode || isFence ? [] : [[index + 1, line]];
  });
}
