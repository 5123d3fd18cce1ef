import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_TAGS } from '../../shared/core/connect-texts/language.ts';
import { type ConnectUnderTest, connectUnderTest } from './connect-under-test.ts';

/** Tests the page's panel for a hostname that already has visitors at another host. */

let underTest: ConnectUnderTest;
let connectUrl: string;

beforeAll(async () => {
  underTest = await connectUnderTest();
  ({ connect_url: connectUrl } = await underTest.add('moving.com', 'live', { apex_redirect: 'www' }));
});

afterAll(() => underTest[Symbol.asyncDispose]());

test.each(LANGUAGE_TAGS)('the move panel offers the records of an apex and its www in %s', async (tag) => {
  const markup = await (await fetch(`${connectUrl}?lang=${tag}`)).text();
  const panel = (/<details id="fold-move".*?<\/details>/s.exec(markup)?.[0] ?? '').replaceAll('<wbr/>', '');
  const values = [...panel.matchAll(/<code[^>]*>([^<]*)<\/code>/g)].map(([, value]) => value);
  const [, , target] = values;
  expect(target).toMatch(/\.acme\.edge\./);
  expect(values).toEqual(['CNAME', '_acme-challenge', target, 'CNAME', '_acme-challenge.www', target]);
  const names = [...panel.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name);
  expect(new Set(names).size).toBe(4);
  expect(panel).toContain('www.');
});

test('the move panel offers one record for an apex that redirects no www', async () => {
  const { connect_url: url } = await underTest.add('alone.com');
  const markup = await (await fetch(url)).text();
  expect(markup).toContain('id="copy-move-1-2"');
  expect(markup).not.toContain('copy-move-2-2');
});
