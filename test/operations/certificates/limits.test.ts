import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const REFUSED = { type: 'unauthorized', detail: 'Invalid response from http://careers.acme.com: 404' };

describe('a rate limit', () => {
  const limited = (detail: string, retry_after: string) =>
    ({ status: 429, type: 'rateLimited', detail, retry_after }) as const;

  test('sends the order to the next authority', async () => {
    await using under = await certificateWorld();
    under.acme.first.fail('newOrder', limited('too many new orders', '3600'));
    const id = await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'Second CA' } });
  });

  test('of the account keeps every hostname from asking until it has passed', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail('newOrder', limited('too many new orders from this account', '3600'));
    const id = await under.addIssuing(HOST);
    await under.pass(SECOND_MS);
    const other = await under.addIssuing('www.other-example.com');
    await under.pass(59 * MINUTE_MS);
    expect(under.acme.first.count('newOrder')).toBe(1);
    expect(await under.domain(id)).toMatchObject({
      status: 'issuing',
      status_reason: 'ca_rate_limited',
      status_detail: { hint: expect.stringMatching(/after 2026-01-01T01:0\d:\d\d\.\d{3}Z/) },
    });
    await under.pass(5 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect((await under.domain(other)).status).toBe('active');
  });

  test('of a domain keeps that domain waiting, and no other', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const date = new Date(under.world.clock.now() + 3 * DAY_MS).toUTCString();
    under.acme.first.fail(
      'newOrder',
      limited('too many certificates (50) already issued for "acme.com"', date),
    );
    const id = await under.addIssuing(HOST);
    await under.pass(SECOND_MS);
    // Longer than all retries: the customer is told at once.
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_rate_limited' });
    const sibling = await under.addIssuing('jobs.acme.com');
    const other = await under.addIssuing('www.other-example.com');
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(sibling)).status).toBe('cert_failed');
    expect((await under.domain(other)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(2);
    await under.pass(3 * DAY_MS + HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect((await under.domain(sibling)).status).toBe('active');
  });
});

test('a challenge may fail five times an hour, however often a verify is asked for', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.acme.first.validate = () => REFUSED;
  const id = await under.addIssuing(HOST);
  await under.pass(15 * MINUTE_MS);
  for (let asked = 0; asked < 10; asked++) {
    await under.verify(id);
    await under.pass(20 * SECOND_MS);
    expect((await under.domain(id)).status).toBe('cert_failed');
  }
  expect(under.acme.first.count('newOrder')).toBeLessThanOrEqual(6);
  expect(await under.domain(id)).toMatchObject({ status_reason: 'ca_rate_limited' });
});

test('a hostname that is refused again and again is asked for five times an hour, and keeps no other waiting', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const id = await under.addIssuing(HOST);
  for (let asked = 0; asked < 20; asked++) {
    under.acme.first.fail('newOrder', { status: 400, type: 'malformed', detail: 'this identifier' });
    await under.pass(16 * SECOND_MS);
    if ((await under.domain(id)).status === 'cert_failed') await under.verify(id);
  }
  await under.pass(15 * MINUTE_MS);
  expect(under.acme.first.count('newOrder')).toBeLessThanOrEqual(7);
  const before = under.acme.first.count('newOrder');
  under.acme.first.recover();
  const other = await under.addIssuing('jobs.acme.com');
  await under.pass(5 * SECOND_MS);
  expect(under.acme.first.count('newOrder')).toBe(before + 1);
  expect((await under.domain(other)).status).toBe('active');
});

test('a rate limit that names nobody keeps the others waiting for an hour at most', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const limited = { status: 429, type: 'rateLimited', detail: 'slow down', retry_after: '2000000' };
  under.acme.first.fail('newOrder', limited);
  await under.addIssuing(HOST);
  await under.pass(SECOND_MS);
  const other = await under.addIssuing('www.other-example.com');
  await under.pass(HOUR_MS + 2 * MINUTE_MS);
  expect((await under.domain(other)).status).toBe('active');
});

test('the allowance of orders is shared, and waiting for it is no failure', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const [authority] = under.authorities;
  if (!authority) throw new Error('no authority');
  authority.ca.limits.orders = { limit: 2, window_ms: 20 * MINUTE_MS };
  const ids: DomainId[] = [];
  for (const label of ['a', 'b', 'c', 'd']) ids.push(await under.addIssuing(`${label}.acme.com`));
  await under.pass(MINUTE_MS);
  const statuses = async () =>
    (await Promise.all(ids.map((id) => under.domain(id)))).map(({ status }) => status).sort();
  expect(await statuses()).toEqual(['active', 'active', 'issuing', 'issuing']);
  await under.pass(30 * MINUTE_MS);
  expect(await statuses()).toEqual(['active', 'active', 'active', 'active']);
});
