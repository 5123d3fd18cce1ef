import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { addApp } from '../../../shared/operations/accounts/create-account.ts';
import { countIssued, takePlace } from '../../../shared/operations/certificates/orders/authority-limits.ts';
import { transact } from '../../../shared/operations/context.ts';
import type { CertificateAuthority } from '../../../shared/ports/certificates.ts';
import { findAccount } from '../../../shared/store/accounts/accounts.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const REFUSED = { type: 'unauthorized', detail: 'Invalid response from http://careers.acme.com: 404' };

describe('a rate limit of a certificate authority', () => {
  const limited = (detail: string, retryAfter: string) =>
    ({ status: 429, type: 'rateLimited', detail, retryAfter }) as const;

  test('makes the worker try the next authority', async () => {
    await using under = await certificateWorld();
    under.acme.first.fail('newOrder', limited('too many new orders', '3600'));
    const id = await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'Second CA' } });
  });

  test('for the account delays every hostname until the limit ends', async () => {
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

  test('that is renewed each minute is reported after a day, and then the order is tried daily', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail('newOrder', limited('too many new orders from this account', '60'), 10_000);
    const id = await under.addIssuing(HOST);
    await under.pass(DAY_MS + HOUR_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_rate_limited' });
    expect(under.events.at(-1)).toBe('domain.cert_failed');
    const before = under.acme.first.count('newOrder');
    await under.pass(10 * DAY_MS);
    expect(under.acme.first.count('newOrder') - before).toBeLessThanOrEqual(11);
    under.acme.first.recover();
    await under.pass(DAY_MS + HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('for an exact set of names delays only these names', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    under.acme.first.fail('newOrder', { ...EXACT_SET, retryAfter: '120000' });
    const id = await under.addIssuing(HOST);
    await under.pass(SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_rate_limited' });
    const sibling = await under.addIssuing('jobs.acme.com');
    const other = await under.addIssuing('www.other-example.com');
    await under.pass(5 * SECOND_MS);
    expect((await under.domain(sibling)).status).toBe('active');
    expect((await under.domain(other)).status).toBe('active');
    await under.pass(30 * HOUR_MS);
    expect((await under.domain(id)).status).toBe('cert_failed');
    await under.pass(20 * HOUR_MS);
    expect((await under.domain(id)).status).toBe('active');
  });

  test('for a domain delays only that domain', async () => {
    await using under = await certificateWorld({ authorities: ['first'] });
    const date = new Date(under.world.clock.now() + 3 * DAY_MS).toUTCString();
    under.acme.first.fail(
      'newOrder',
      limited('too many certificates (50) already issued for "acme.com"', date),
    );
    const id = await under.addIssuing(HOST);
    await under.pass(SECOND_MS);
    // The CA asks for a longer wait than all retries together, so the domain fails at once.
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

test('a hostname fails at most five challenges an hour, however often a verify is requested', async () => {
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

test('a hostname that is always refused causes at most five orders an hour, and no delay for other hostnames', async () => {
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

test('an unknown rate limit is treated as a limit for the registrable domain, for at most a day', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const limited = { status: 429, type: 'rateLimited', detail: 'slow down', retryAfter: '2000000000' };
  under.acme.first.fail('newOrder', limited);
  const id = await under.addIssuing(HOST);
  await under.pass(SECOND_MS);
  const sibling = await under.addIssuing('jobs.acme.com');
  const other = await under.addIssuing('www.other-example.com');
  await under.pass(5 * SECOND_MS);
  expect((await under.domain(other)).status).toBe('active');
  expect((await under.domain(sibling)).status).toBe('cert_failed');
  expect(under.acme.first.count('newOrder')).toBe(2);
  await under.pass(DAY_MS + HOUR_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect((await under.domain(sibling)).status).toBe('active');
});

test('the waits for several authorities do not add up: the first authority with capacity is used', async () => {
  await using under = await certificateWorld();
  under.acme.first.fail('newOrder', { ...EXACT_SET, retryAfter: '500000' });
  const { ca } = authorityOf(under, 1);
  ca.limits.orders = { limit: 1, window_ms: 20 * MINUTE_MS };
  expect(
    await transact(under.world.context, (tx) =>
      takePlace(tx, ca, { ...WISH, account_id: under.caller.account_id }),
    ),
  ).toBeNull();
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({
    status: 'issuing',
    status_reason: 'ca_rate_limited',
    status_detail: { hint: expect.stringMatching(/after 2026-01-01T00:2\d:/) },
  });
  await under.pass(25 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'Second CA' } });
});

test('certificates for one exact set of names are counted across all apps', async () => {
  await using under = await certificateWorld();
  authorityOf(under, 0).ca.limits.certificates = { limit: 2, window_ms: 7 * DAY_MS };
  const issuers: (string | undefined)[] = [];
  for (const app of ['b', 'c', 'd']) {
    under.caller = { ...(await under.world.addApp(app)), mode: 'live' };
    const id = await under.addIssuing(HOST);
    await under.pass(5 * SECOND_MS);
    issuers.push((await under.domain(id)).certificate?.issuer);
  }
  expect(issuers).toEqual(['First CA', 'First CA', 'Second CA']);
  const sibling = await under.addIssuing('jobs.acme.com');
  await under.pass(5 * SECOND_MS);
  expect((await under.domain(sibling)).certificate?.issuer).toBe('First CA');
});

test('apps share the allowance of orders, and waiting for the allowance is not a failure', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  authorityOf(under, 0).ca.limits.orders = { limit: 4, window_ms: 40 * MINUTE_MS };
  const ids = await addMany(under, ['a', 'b', 'c', 'd']);
  await under.pass(MINUTE_MS);
  expect(await statuses(under, ids)).toEqual(['active', 'active', 'issuing', 'issuing']);
  await under.pass(40 * MINUTE_MS);
  expect(await statuses(under, ids)).toEqual(['active', 'active', 'active', 'active']);
});

test('the many hostnames of one account leave capacity to others, and use the capacity that others do not need', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  authorityOf(under, 0).ca.limits.orders = { limit: 6, window_ms: 6 * HOUR_MS };
  const many: DomainId[] = [];
  for (const label of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const { context } = under.world;
    const account = (await findAccount(context.store, under.caller.account_id)) ?? expect.fail();
    const { app } = await transact(context, (tx) => addApp(tx, account, { name: label }));
    under.caller = { ...under.caller, app_id: app.id };
    many.push(await under.addIssuing(`${label}.acme.com`));
  }
  await under.pass(MINUTE_MS);
  // The account gets two orders as its share, and one more from the half of the limit that is not reserved for other accounts.
  expect(await statuses(under, many)).toEqual([
    'active',
    'active',
    'active',
    'issuing',
    'issuing',
    'issuing',
  ]);
  const waiting = (await Promise.all(many.map((id) => under.domain(id)))).find(
    ({ status }) => status === 'issuing',
  );
  expect(waiting).toMatchObject({ status_reason: 'ca_rate_limited' });

  under.caller = { ...(await under.world.addApp('small')), mode: 'live' };
  const few = await addMany(under, ['x', 'y']);
  await under.pass(MINUTE_MS);
  expect(await statuses(under, few)).toEqual(['active', 'active']);
  await under.pass(12 * HOUR_MS);
  expect(await statuses(under, many)).toEqual(Array(6).fill('active'));
});

test('a renewal whose `replaces` is refused waits until its names may have another certificate', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { ca } = authorityOf(under, 0);
  const { context, clock } = under.world;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const { renews_at = 0, not_before = 0 } = (await under.domain(id)).certificate ?? {};
  await under.pass(renews_at - clock.now() - MINUTE_MS);
  ca.limits.certificates = { limit: 1, window_ms: HOUR_MS };
  await countIssued(context, ca, [HOST]);
  const refused = { status: 409, type: 'alreadyReplaced', detail: 'replaced' };
  under.acme.first.fail('newOrder', refused, 10);
  await under.pass(30 * MINUTE_MS);
  expect(under.acme.first.count('newOrder')).toBe(2);
  under.acme.first.recover();
  under.acme.first.fail('newOrder', refused);
  await under.pass(50 * MINUTE_MS);
  const renewed = await under.domain(id);
  expect(renewed.status).toBe('active');
  expect(renewed.certificate?.not_before).toBeGreaterThan(not_before);
  expect(under.acme.first.count('newOrder')).toBe(4);
  expect(under.acme.first.replaced.at(-1)).toBeNull();
});

test('a renewal that ARI announces uses the allowance of orders like any other order', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const { ca } = authorityOf(under, 0);
  const ids = await addMany(under, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']);
  await under.pass(MINUTE_MS);
  expect(under.acme.first.count('newOrder')).toBe(8);
  ca.limits.orders = { limit: 4, window_ms: 40 * HOUR_MS };
  const now = under.world.clock.now();
  under.acme.first.window = { start: now - DAY_MS, end: now - HOUR_MS };
  await under.pass(12 * HOUR_MS);
  // Renewals may use three of the CA's four orders, and ten hours later one more.
  expect(under.acme.first.count('newOrder') - 8).toBeLessThanOrEqual(4);
  under.acme.first.window = null;
  expect(await statuses(under, ids)).toEqual(Array(8).fill('active'));
});

const EXACT_SET = {
  status: 429,
  type: 'rateLimited',
  detail: 'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s',
};

const WISH = { names: ['www.other-example.com'], purpose: 'issue', exempt: false } as const;

function authorityOf(under: CertificateWorld, index: number): CertificateAuthority {
  const authority = under.authorities[index];
  if (!authority) throw new Error('no such authority');
  return authority;
}

async function addMany(under: CertificateWorld, labels: readonly string[]): Promise<DomainId[]> {
  const ids: DomainId[] = [];
  for (const label of labels) ids.push(await under.addIssuing(`${label}.acme.com`));
  return ids;
}

async function statuses(under: CertificateWorld, ids: readonly DomainId[]): Promise<string[]> {
  return (await Promise.all(ids.map((id) => under.domain(id)))).map(({ status }) => status).sort();
}
