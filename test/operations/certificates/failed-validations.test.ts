import { expect, test } from 'vitest';
import { ANSWERS_MAX } from '../../../shared/core/certificates/certificate-order.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const UNREACHABLE = { type: 'connection', detail: 'error doing http GET for url http://careers.acme.com' };

/** Makes the CA fail the first validations of the hostname. Returns the start time of each validation. */
function failFirst(under: CertificateWorld, failures: number): number[] {
  const validated: number[] = [];
  under.acme.first.validate = () => {
    validated.push(under.world.clock.now());
    return validated.length > failures ? null : UNREACHABLE;
  };
  return validated;
}

function waits(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

test('after a failed validation, the worker answers a pending challenge again, later each time', async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'pending';
  const validated = failFirst(under, 2);
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'First CA' } });
  const [first = 0, second = 0] = waits(validated);
  expect(validated).toHaveLength(3);
  expect(first).toBeGreaterThanOrEqual(5 * SECOND_MS);
  expect(second).toBeGreaterThanOrEqual(15 * SECOND_MS);
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test("the attempt fails with the authority's error once the worker has answered the challenge as often as allowed", async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'pending';
  const validated = failFirst(under, Number.POSITIVE_INFINITY);
  const id = await under.addIssuing(HOST);
  // The last validation fails after 185 s. The next attempt begins at least 54 s later.
  await under.pass(3.5 * MINUTE_MS);
  expect(validated).toHaveLength(ANSWERS_MAX);
  expect(await under.domain(id)).toMatchObject({
    status: 'issuing',
    status_reason: 'ca_challenge_failed',
    status_detail: { found: UNREACHABLE.detail },
  });
  expect(under.acme.second.asked).toEqual([]);
});

test("the worker answers a challenge again only after the challenge's Retry-After", async () => {
  await using under = await certificateWorld();
  Object.assign(under.acme.first, { afterFailure: 'pending', validationRetryAfter: '100' });
  const validated = failFirst(under, 1);
  await under.addIssuing(HOST);
  await under.pass(3 * MINUTE_MS);
  expect(validated).toHaveLength(2);
  expect(waits(validated)[0]).toBeGreaterThanOrEqual(100 * SECOND_MS);
});

test('the worker answers a challenge again only once the edge serves the response', async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'pending';
  const { answersChallenge } = under.edge;
  let shows = true;
  under.edge = { ...under.edge, answersChallenge: async (asked) => shows && answersChallenge(asked) };
  const validated: boolean[] = [];
  under.acme.first.validate = () => {
    validated.push(shows);
    if (validated.length > 1) return null;
    shows = false;
    return UNREACHABLE;
  };
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect(validated).toEqual([true]);
  shows = true;
  await under.pass(2 * MINUTE_MS);
  expect(validated).toEqual([true, true]);
  expect((await under.domain(id)).status).toBe('active');
});

test('the worker does not answer a challenge again if the authority itself retries the validation', async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'processing';
  failFirst(under, 3);
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('challenge')).toBe(1);
});

test('the attempt fails with the last failure if all retries of the authority fail', async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'processing';
  failFirst(under, Number.POSITIVE_INFINITY);
  const id = await under.addIssuing(HOST);
  await under.pass(12 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({
    status: 'issuing',
    status_reason: 'ca_challenge_failed',
    status_detail: { found: UNREACHABLE.detail },
  });
});

test('the apex gets its certificate although www fails validation', async () => {
  await using under = await certificateWorld();
  under.acme.first.afterFailure = 'pending';
  under.acme.first.validate = ({ hostname }) => (hostname === 'www.acme.com' ? UNREACHABLE : null);
  under.right.add('www.acme.com');
  const id = await under.addIssuing('acme.com', { apex_redirect: 'www' });
  await under.pass(10 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
});
