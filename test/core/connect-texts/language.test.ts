import { expect, test } from 'vitest';
import { negotiateLanguage, readLanguage } from '../../../shared/core/connect-texts/language.ts';

test.each([
  [null, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['zh-CN,zh;q=0.9', 'en'],
  ['zh-CN,ja;q=0.5,fr;q=0.7', 'fr'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['es-419', 'es'],
  ['en;q=0.1, ja;q=0.2', 'ja'],
  ['de;q=0, fr', 'fr'],
  ['de;q=2, fr;q=0.1', 'fr'],
  ['de;q=x, fr;q=0.1', 'fr'],
  [`${'xx,'.repeat(5000)}de`, 'en'],
])('for the Accept-Language %j, the connect page is in %s', (header, tag) => {
  expect(negotiateLanguage(header)).toBe(tag);
});

test("the parser of language tags accepts only the page's own tags", () => {
  expect(['de', 'DE', 'pt-br', 'pt', 'xx', '', null].map(readLanguage)).toEqual([
    'de',
    'de',
    'pt-BR',
    null,
    null,
    null,
    null,
  ]);
});
