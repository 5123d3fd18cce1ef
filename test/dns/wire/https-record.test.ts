import { expect, test } from 'vitest';
import { answerBytes, readIt, record, wireName } from '../hostile-answers.ts';

test.each([
  ['1 .', [0, 1, 0]],
  ['0 shop.acme.test', [0, 0, ...wireName('shop.acme.test')]],
  [
    '1 . port=8443 ipv4hint=192.0.2.1,192.0.2.2',
    [0, 1, 0, 0, 3, 0, 2, 32, 251, 0, 4, 0, 8, 192, 0, 2, 1, 192, 0, 2, 2],
  ],
  ['1 . key1="\\002h2" key2="" ech=AEU=', [0, 1, 0, 0, 1, 0, 3, 2, 104, 50, 0, 2, 0, 0, 0, 5, 0, 2, 0, 69]],
  ['1 . ipv6hint=2001:db8::1', [0, 1, 0, 0, 6, 0, 16, 32, 1, 13, 184, ...new Array<number>(11).fill(0), 1]],
])('the DNS client reads the HTTPS record %s', (value, bytes) => {
  const answer = readIt(answerBytes([record(65, Buffer.from(bytes))]));
  expect(answer?.answers).toMatchObject([{ type: 'HTTPS', value }]);
});

test.each([
  ['only half of the priority', [0]],
  ['no target', [0, 1]],
  ['a target that is longer than the record', [0, 1, 3, 97]],
  ['a parameter that is longer than the record', [0, 1, 0, 0, 3, 0, 2, 1]],
  ['half the head of a parameter', [0, 1, 0, 0, 3]],
  ['half an address', [0, 1, 0, 0, 4, 0, 2, 1, 2]],
])('the DNS client reports an HTTPS record with %s as malformed', (_, bytes) => {
  expect(readIt(answerBytes([record(65, Buffer.from(bytes))]))).toBeNull();
});
