import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { certificateSource } from '../edge/stored-values.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const REFUSED = { type: 'connection', detail: 'Timeout during connect' };

async function activeDomain(under: CertificateWorld): Promise<DomainId> {
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  return id;
}

async function serial(under: CertificateWorld): Promise<string | undefined> {
  return (await certificateSource(under.world.context).findCertificate(HOST))?.serial;
}

test('a certificate is renewed with a new key after two thirds of its lifetime by default', async () => {
  await using under = await certificateWorld({ ari: false });
  const id = await activeDomain(under);
  const source = certificateSource(under.world.context);
  const before = await source.findCertificate(HOST);
  await under.pass(60 * DAY_MS - HOUR_MS);
  expect(await serial(under)).toBe(before?.serial);
  await under.pass(2 * HOUR_MS);
  const after = await source.findCertificate(HOST);
  expect(after?.serial).not.toBe(before?.serial);
  expect(after?.private_key).not.toBe(before?.private_key);
  expect(under.events.at(-1)).toBe('domain.certificate_renewed');
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.replaced).toEqual([null, null]);
});

test("a renewal follows the authority's window (ARI), and its order names the certificate that it replaces", async () => {
  await using under = await certificateWorld();
  const id = await activeDomain(under);
  const now = under.world.clock.now();
  under.acme.first.window = { start: now + 5 * DAY_MS, end: now + 6 * DAY_MS };
  await under.pass(DAY_MS);
  const moved = (await under.domain(id)).certificate?.renews_at ?? 0;
  expect(moved).toBeGreaterThanOrEqual(now + 5 * DAY_MS);
  expect(moved).toBeLessThanOrEqual(now + 6 * DAY_MS);
  const first = await findNewestCertificate(under.world.context.store, id);
  await under.pass(moved - under.world.clock.now() - 1);
  expect(await serial(under)).toBe(first?.serial);
  await under.pass(MINUTE_MS);
  expect(await serial(under)).not.toBe(first?.serial);
  expect(under.acme.first.replaced).toEqual([null, first?.ari_id]);
});

test('the worker requests the renewal window only once the edge serves the certificate', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const [authority] = under.authorities;
  if (!authority) throw new Error('no authority');
  const { renewalWindow } = authority;
  const asked: unknown[] = [];
  let id: DomainId | null = null;
  authority.renewalWindow = async (ariId) => {
    asked.push(id && (await under.domain(id)).status);
    return renewalWindow(ariId);
  };
  id = await under.addIssuing(HOST);
  await under.pass(SECOND_MS);
  expect(asked).toEqual(['active']);
  const stored = await findNewestCertificate(under.world.context.store, id);
  expect(stored?.window).not.toBeNull();
  expect((await under.domain(id)).certificate?.renews_at).toBe(stored?.renews_at);
});

test('a certificate is renewed within half a day if its renewal window is past, as after a mass revocation', async () => {
  await using under = await certificateWorld();
  await activeDomain(under);
  const before = await serial(under);
  const now = under.world.clock.now();
  under.acme.first.window = { start: now - 2 * DAY_MS, end: now - DAY_MS };
  await under.pass(12 * HOUR_MS);
  under.acme.first.window = null;
  await under.pass(HOUR_MS);
  expect(await serial(under)).not.toBe(before);
});

test.each([
  ['its authority backdates', { lateMs: 61 * DAY_MS, ari: false }],
  ["its authority's window names as overdue", { lateMs: 0, ari: true }],
  ['its authority backdates and names as overdue', { lateMs: 61 * DAY_MS, ari: true }],
])('a certificate that %s is renewed at most four times a day', async (_, { lateMs, ari }) => {
  await using under = await certificateWorld({ authorities: ['first'], ari });
  const { clock, logged } = under.world;
  const { first } = under.acme;
  first.skew_ms = -lateMs;
  const past = clock.now() - 90 * DAY_MS;
  if (ari) first.window = { start: past, end: past + 1000 };
  const id = await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  expect(first.count('newOrder')).toBe(1);
  await under.pass(DAY_MS);
  expect(first.count('newOrder')).toBeLessThanOrEqual(5);
  expect((await under.domain(id)).status).toBe('active');
  const alarms = logged.filter((message) => message.includes('renew'));
  expect(alarms).toHaveLength(1);
});

test('certificates that expire soon after their arrival do not cause one order after another', async () => {
  await using under = await certificateWorld({ authorities: ['first'], ari: false });
  under.acme.first.skew_ms = -(90 * DAY_MS - 5 * SECOND_MS);
  await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  expect(under.acme.first.count('newOrder')).toBeLessThanOrEqual(3);
});

test('the worker repeats an order once without `replaces` if that field is refused', async () => {
  await using under = await certificateWorld();
  await activeDomain(under);
  const before = await serial(under);
  under.acme.first.fail('newOrder', { status: 409, type: 'alreadyReplaced', detail: 'replaced' });
  await under.pass(80 * DAY_MS);
  expect(await serial(under)).not.toBe(before);
  expect(under.events.filter((type) => type === 'domain.certificate_renewed')).toHaveLength(1);
});

test('a failed renewal is retried without a report until 10 days before the expiry', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const id = await activeDomain(under);
  const { not_after = 0 } = (await under.domain(id)).certificate ?? {};
  under.acme.first.validate = () => REFUSED;
  await under.pass(not_after - 10 * DAY_MS - MINUTE_MS - under.world.clock.now());
  expect((await under.domain(id)).status).toBe('active');
  expect(under.events.at(-1)).toBe('domain.active');
  await under.pass(2 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({
    status: 'cert_failed',
    status_reason: 'ca_challenge_failed',
  });
  // The edge serves the old certificate until it expires, and a daily retry renews it.
  expect(await serial(under)).toBeDefined();
  under.acme.first.validate = () => null;
  await under.pass(2 * DAY_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.events.slice(2)).toEqual(['domain.active', 'domain.cert_failed', 'domain.active']);
});

test('a certificate that expired during a long hold is replaced', async () => {
  await using under = await certificateWorld();
  const id = await activeDomain(under);
  const { context } = under.world;
  await causeTransition(context, await under.domain(id), { name: 'hold' });
  await under.pass(100 * DAY_MS);
  expect(under.acme.first.count('newOrder')).toBe(1);
  await causeTransition(context, await under.domain(id), { name: 'release' });
  under.right.add(HOST);
  under.runChecks();
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(2);
});

test('the worker renews no certificate while the record is broken', async () => {
  await using under = await certificateWorld();
  const id = await activeDomain(under);
  await causeTransition(under.world.context, await under.domain(id), { name: 'dns_gone' });
  await under.pass(85 * DAY_MS);
  expect(under.acme.first.count('newOrder')).toBe(1);
  expect(await serial(under)).toBeDefined();
});
