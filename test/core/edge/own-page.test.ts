import { expect, test } from 'vitest';
import { isFromOwnPage } from '../../../shared/connect/handle-connect.ts';

const OURS = 'https://connect.example';

test.each([
  [{ 'sec-fetch-site': 'same-origin' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
  [{ 'sec-fetch-site': 'none' }, true],
  [{ 'sec-fetch-site': 'same-site', origin: OURS }, false],
  [{ 'sec-fetch-site': 'cross-site', origin: OURS }, false],
  [{ origin: OURS }, true],
  [{ origin: 'null' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, false],
  [{ origin: 'https://evil.example' }, false],
  [{}, true],
] as const)('a request with the headers %j comes from our own page: %s', (headers, own) => {
  expect(isFromOwnPage(new Headers(headers), (origin) => origin === OURS)).toBe(own);
});
