import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  findPathToken,
  makePathToken,
  type PathReceipt,
  readReceipt,
  signReceipt,
  wellKnownPath,
} from '../../../shared/core/public-path/path-receipt.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const [OWN, OLD, FOREIGN] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const NAMES = serviceNames('Service');
const token = makePathToken([OWN], NOW, randomBytes(12));

it.each([
  ['its well-known path', wellKnownPath(NAMES, token)],
  ['an ordinary path', `/${token}`],
  ['a path that a proxy has extended', `/site/${token}/index.html?a=b`],
  ['a header', token],
])('the edge finds the token of a probe in %s', (_, text) => {
  expect(findPathToken([OWN], NOW, ['/', text])).toBe(token);
});

it.each<[title: string, text: string]>([
  ['no token', '/a/b'],
  ['a token with another character', `/${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`],
  ['a token whose unused last bits are set', `/${token.slice(0, -1)}${nextCharacter(token.at(-1))}`],
  ['a token within a longer word', `/${token}x`],
  ['a token of other keys', `/${makePathToken([FOREIGN], NOW, randomBytes(12))}`],
  ['random text of its length', `/${randomBytes(28).toString('base64url')}`],
])('the edge finds no token of a probe in %s', (_, text) => {
  expect(findPathToken([OWN], NOW, [text])).toBeNull();
});

/** Returns a character that differs from the last character of a token only in bits that the decoder ignores. */
function nextCharacter(character = ''): string {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return characters.charAt(characters.indexOf(character) + 1);
}

it('the token of a probe is accepted if its time is at most five minutes in the past or in the future', () => {
  const at = (ms: number) => findPathToken([OWN], NOW + ms, [token]);
  expect([at(-299_000), at(299_000)]).toEqual([token, token]);
  expect([at(-301_000), at(301_000)]).toEqual([null, null]);
});

it('tokens and receipts of an older key are valid while the key is in the key ring', () => {
  expect(findPathToken([FOREIGN, OWN], NOW, [token])).toBe(token);
  expect(readReceipt([FOREIGN, OLD], signReceipt([OLD], RECEIPT))).toEqual(RECEIPT);
});

const RECEIPT: PathReceipt = {
  token,
  id: 'a1',
  host: 'careers.acme.com',
  path: `/${token}`,
  scheme: 'https',
  cookie: true,
  header: true,
};

it('the probe accepts only receipts that one of our keys has signed', () => {
  const body = signReceipt([OWN], RECEIPT);
  expect(readReceipt([OWN], body)).toEqual(RECEIPT);
  expect(readReceipt([OWN], `${body}\n`)).toEqual(RECEIPT);
  const forged = Buffer.from(JSON.stringify({ ...RECEIPT, host: 'evil.example' })).toString('base64url');
  for (const text of [
    '',
    'x',
    body.slice(1),
    `${forged}.${body.split('.')[1]}`,
    signReceipt([FOREIGN], RECEIPT),
  ])
    expect(readReceipt([OWN], text)).toBeNull();
});
