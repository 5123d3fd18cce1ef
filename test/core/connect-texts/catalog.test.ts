import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageOf } from '../../../shared/core/connect-texts/catalog.ts';
import { LANGUAGE_TAGS } from '../../../shared/core/connect-texts/language.ts';
import { PROVIDERS } from '../../../shared/core/providers/providers.ts';

type Leaf = [path: string, text: string];

/** Lists every text of a catalog with its path, such as `status.pending.headline.one`. */
function leavesOf(value: unknown, at = ''): Leaf[] {
  if (typeof value === 'string') return [[at, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, at === '' ? key : `${at}.${key}`));
}

const SPOKEN = ['title', 'meaning', 'hint'];

/** Lists the texts of a language, without the fields of the English findings that the page does not show. */
function textsOf(tag: (typeof LANGUAGE_TAGS)[number]): Leaf[] {
  return leavesOf(languageOf(tag).texts).filter(
    ([at]) => !at.startsWith('findings.') || SPOKEN.includes(at.split('.')[2] ?? ''),
  );
}

function placeholders(text: string): string[] {
  return [...new Set([...text.matchAll(/\{\w+\}/g)].map(([found]) => found))].sort();
}

/** Matches the path of a plural form. The language decides which forms a text has. */
const COUNT_FORM = /\.(?:zero|one|two|few|many|other)$/;

const ENGLISH = new Map(textsOf('en'));

describe.each(LANGUAGE_TAGS)('the catalog of the language %s is complete', (tag) => {
  const texts = textsOf(tag);

  test('has the same texts as the English catalog, none of them empty', () => {
    const keysOf = (leaves: readonly Leaf[]) => new Set(leaves.map(([at]) => at.replace(COUNT_FORM, '')));
    expect(keysOf(texts)).toEqual(keysOf([...ENGLISH]));
    const empty = texts.filter(([at, text]) => text.trim() !== text && !at.startsWith('panelNames.'));
    expect(empty).toEqual([]);
  });

  test('has the same placeholders as the English catalog', () => {
    for (const [at, text] of texts) {
      const plain = at.replace(COUNT_FORM, '');
      const english = ENGLISH.get(at) ?? ENGLISH.get(`${plain}.other`) ?? ENGLISH.get(plain) ?? '';
      const expected = placeholders(english).filter((name) => name !== '{count}');
      const found = placeholders(text).filter((name) => name !== '{count}');
      if (at.endsWith('.hint')) expect(expected, at).toEqual(expect.arrayContaining(found));
      else expect(found, at).toEqual(expected);
      // Each placeholder must be a simple name.
      expect(text.match(/\{[^}]*\}/g)?.every((name) => /^\{\w+\}$/.test(name)) ?? true, at).toBe(true);
    }
  });

  test('has a form for each plural category of the language', () => {
    const rules = new Intl.PluralRules(tag);
    const categories = new Set([1, 2, 3, 4, 5, 10, 21].map((count) => rules.select(count)));
    const forms = Map.groupBy(
      texts.filter(([at]) => COUNT_FORM.test(at)),
      ([at]) => at.replace(COUNT_FORM, ''),
    );
    for (const [at, leaves] of forms) {
      const found = new Set(leaves.map(([leaf]) => leaf.slice(at.length + 1)));
      expect(found, at).toEqual(categories);
    }
  });
});

test.each(LANGUAGE_TAGS.filter((tag) => tag !== 'en'))(
  'the catalog of %s is translated, except for names and formats',
  (tag) => {
    const SAME = /^(?:panelNames\.|page\.(?:utc|whatField|fieldType|fieldName)$|mails\.field$)/;
    const same = textsOf(tag).filter(([at, text]) => ENGLISH.get(at) === text && !SAME.test(at));
    expect(same).toEqual([]);
  },
);

test('the catalog of connect texts has no unused text', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const files = globSync(
    'shared/{connect,core/accounts,core/connect-texts,core/providers,operations/connect}/**/*.{ts,tsx}',
    {
      cwd: root,
    },
  ).filter((file) => !/languages\/[a-z-]+\//.test(file));
  const source = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const isSpoken = (key: string) => new RegExp(`\\b${key}\\b`).test(source);
  const { page, status, messages, mails, guides, cautions } = languageOf('en').texts;
  const keys = [page, status, messages, mails].flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key) => !isSpoken(key))).toEqual([]);
  const said = new Set<string>(
    PROVIDERS.flatMap(({ steps, cautions: own }) => [...steps, ...own].map(({ say }) => say)),
  );
  const sentences = [...Object.keys(guides), ...Object.keys(cautions)];
  expect(sentences.filter((key) => !said.has(key) && !isSpoken(key))).toEqual([]);
});
