import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import {
  listStoredCertificates,
  reissueCertificate,
  showCertificates,
} from '../../../shared/operations/operator/certificates.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

test("the operator's list sorts certificates by their expiry, and shows no keys", async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  under.acme.first.lifetimeMs = 6 * DAY_MS;
  const short = await under.addIssuing('jobs.acme.com');
  await under.pass(MINUTE_MS);
  under.acme.first.lifetimeMs = 90 * DAY_MS;
  const long = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const all = await listStoredCertificates(context, { limit: 10 });
  expect(all.map(({ domain_id }) => domain_id)).toEqual([short, long]);
  expect(JSON.stringify(all)).not.toContain('_key');
  const soon = await listStoredCertificates(context, { limit: 10, withinDays: 10 });
  expect(soon.map(({ names }) => names)).toEqual([['jobs.acme.com']]);
});

test("the operator's view of a hostname shows a running order", async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.acme.first.processingLooks = 1000;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const [state, ...others] = await showCertificates(under.world.context, HOST);
  expect(others).toEqual([]);
  expect(state).toMatchObject({
    domain: { id, status: 'issuing' },
    routed: true,
    certificate: null,
    order: { purpose: 'issue', ca: 'first', names: [HOST], failures: 0, next_step: 'look', problem: null },
  });
  expect(state?.next_at).toBeGreaterThan(under.world.clock.now() - MINUTE_MS);
});

test("the operator's view shows a hostname before its DNS is confirmed, for every app that has the hostname", async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const rival = await under.world.addApp('rival');
  const waiting = await under.world.addDomain({ ...rival, mode: 'live' }, HOST);
  expect(await showCertificates(context, HOST)).toMatchObject([
    { domain: { id: waiting, status: 'pending_dns' }, routed: false, certificate: null, order: null },
  ]);
  await under.world.addDomain(await under.world.addApp('tester'), HOST);
  const routed = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const shown = await showCertificates(context, HOST.toUpperCase());
  expect(shown.map(({ domain, routed, next_at }) => [domain.id, routed, next_at !== null])).toEqual([
    [routed, true, true],
    [waiting, false, false],
  ]);
  expect(await showCertificates(context, waiting)).toHaveLength(1);
  await expect(showCertificates(context, 'dom_0')).rejects.toMatchObject({ code: 'not_found' });
});

test('an operator can replace a certificate at once, with an audit entry', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const [before] = await showCertificates(context, id);
  await reissueCertificate(context, 'ada', HOST);
  await under.pass(MINUTE_MS);
  const [after] = await showCertificates(context, HOST);
  expect(after?.certificate?.serial).not.toBe(before?.certificate?.serial);
  expect(after?.order).toBeNull();
  const audit = await context.store.db.selectFrom('audit_log').selectAll().execute();
  expect(audit).toMatchObject([{ actor: 'ada', action: 'certificate.reissue', subject: HOST }]);
});

test("the operator's view shows that an order waits for a check, and a reissue ends the wait", async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  await causeTransition(context, await under.domain(id), { name: 'hold' });
  await causeTransition(context, await under.domain(id), { name: 'release' });
  await under.pass(HOUR_MS);
  expect(await showCertificates(context, HOST)).toMatchObject([{ order: { next_step: 'await_check' } }]);
  await reissueCertificate(context, 'ada', HOST);
  await under.pass(MINUTE_MS);
  expect(await showCertificates(context, HOST)).toMatchObject([
    { domain: { status: 'active' }, order: null },
  ]);
  expect(under.acme.first.count('newOrder')).toBe(2);
});

test('a reissue is refused for a domain that cannot get a certificate', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  await expect(reissueCertificate(context, 'ada', HOST)).rejects.toMatchObject({ code: 'not_found' });
  const id = await under.world.addDomain(under.caller, HOST);
  await expect(reissueCertificate(context, 'ada', id)).rejects.toMatchObject({ code: 'validation_failed' });
});
