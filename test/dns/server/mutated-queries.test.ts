import { expect, test } from 'vitest';
import { tryMutatedQueries } from './mutated-queries.ts';

const MUTATIONS = 5_000;

test('5 000 mutated DNS queries get no response that is wrong, malformed or too large', () => {
  const { statuses, unanswered } = tryMutatedQueries(MUTATIONS, 0x1035);
  // Each of these statuses must occur, which shows that mutations get past the check of the header.
  for (const status of ['NOERROR aa', 'NXDOMAIN aa', 'REFUSED', 'FORMERR', 'NOTIMP'])
    expect.soft(statuses.get(status), status).toBeGreaterThan(10);
  expect(unanswered).toBeGreaterThan(10);
});
