import { expect, test } from 'vitest';
import type { Instant } from '../../../shared/core/instant.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

/** Makes one kind of edge probe fail until `mend` is called. `looks` has the times of the probes. */
function blind(under: CertificateWorld, look: 'answersChallenge' | 'showsCertificate') {
  const looks: Instant[] = [];
  const before = under.edge;
  const seesNothing = async () => {
    looks.push(under.world.clock.now());
    return false;
  };
  under.edge = { ...before, [look]: seesNothing };
  return {
    looks,
    mend() {
      under.edge = before;
    },
  };
}

/** Returns the seconds between consecutive probes. */
function waits(looks: readonly Instant[]): number[] {
  return looks.slice(1).map((at, n) => (at - (looks[n] ?? 0)) / SECOND_MS);
}

test.each(['answersChallenge', 'showsCertificate'] as const)(
  'the worker checks an edge that is not ready at growing intervals, and the attempt fails after ten minutes: %s',
  async (look) => {
    await using under = await certificateWorld();
    const { looks } = blind(under, look);
    const id = await under.addIssuing(HOST);
    await under.pass(10 * MINUTE_MS - SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'issuing', status_reason: null });
    await under.pass(2 * SECOND_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'issuing', status_reason: 'edge_not_ready' });
    expect(waits(looks).slice(0, 11)).toEqual([0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 60, 60]);
    expect(waits(looks).reduce((sum, each) => sum + each)).toBeCloseTo(600);
  },
);

test('another challenge method or authority does not extend the ten minutes in which the edge must be ready', async () => {
  await using under = await certificateWorld();
  const { looks } = blind(under, 'answersChallenge');
  const id = await under.addIssuing(HOST);
  await under.pass(5 * MINUTE_MS);
  under.acme.first.fail('order', { status: 503, type: '', detail: '' }, 1000);
  await under.pass(6 * MINUTE_MS);
  expect(await under.domain(id)).toMatchObject({ status_reason: 'edge_not_ready' });
  expect(under.acme.second.count('newOrder')).toBe(1);
  expect(looks.length).toBeLessThan(25);
});

test('a domain whose edge is not ready is retried on the usual schedule until it succeeds', async () => {
  await using under = await certificateWorld();
  const { looks, mend } = blind(under, 'answersChallenge');
  const id = await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'edge_not_ready' });
  await under.pass(3 * DAY_MS);
  expect(looks.length).toBeLessThan(7 * 25);
  expect(under.acme.first.count('newOrder')).toBeLessThanOrEqual(7);
  expect(under.acme.first.count('challenge')).toBe(0);
  expect(under.acme.second.count('newOrder')).toBe(0);
  mend();
  await under.pass(2 * DAY_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.events.slice(1)).toEqual(['domain.verified', 'domain.cert_failed', 'domain.active']);
});

test('a later attempt uses the certificate that the edge did not serve before, without a new order', async () => {
  await using under = await certificateWorld();
  const { mend } = blind(under, 'showsCertificate');
  const id = await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', certificate: null });
  mend();
  await under.pass(2 * HOUR_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'First CA' } });
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test('a domain stays active if the edge does not serve its renewed certificate yet', async () => {
  await using under = await certificateWorld({ ari: false });
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  const { mend } = blind(under, 'showsCertificate');
  await under.pass(62 * DAY_MS);
  expect(await under.domain(id)).toMatchObject({ status: 'active', status_reason: null });
  mend();
  await under.pass(2 * DAY_MS);
  const stored = await findNewestCertificate(under.world.context.store, id);
  expect((await under.domain(id)).certificate?.not_after).toBe(stored?.not_after);
  expect(under.events.at(-1)).toBe('domain.certificate_renewed');
  expect(under.acme.first.count('newOrder')).toBe(2);
});

test('the edge has another ten minutes to be ready if a certificate expired before the edge served it', async () => {
  await using under = await certificateWorld();
  const { mend } = blind(under, 'showsCertificate');
  const id = await under.addIssuing(HOST);
  await under.pass(MINUTE_MS);
  mend();
  under.world.clock.move(91 * DAY_MS);
  const { edge } = under;
  let looks = 0;
  under.edge = {
    ...edge,
    answersChallenge: async (challenge) => ++looks > 2 && edge.answersChallenge(challenge),
  };
  await under.pass(10 * SECOND_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(looks).toBe(3);
});

test('if the clock of the authority is ahead, the worker waits until the certificate is valid, without another order', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  under.acme.first.skew_ms = 30 * MINUTE_MS;
  await under.pass(5 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('issuing');
  await under.pass(3 * HOUR_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test.each(['answersChallenge', 'showsCertificate'] as const)(
  'the failure of an edge that does not respond at all names its addresses: %s',
  async (look) => {
    await using under = await certificateWorld();
    under.edge = { ...under.edge, [look]: async () => ({ unreachable: ['192.0.2.10', '192.0.2.11'] }) };
    const id = await under.addIssuing(HOST);
    await under.pass(11 * MINUTE_MS);
    expect(await under.domain(id)).toMatchObject({
      status_reason: 'edge_not_ready',
      status_detail: { found: 'no response from 192.0.2.10, 192.0.2.11 to the node that checks' },
    });
    expect(under.world.logged.join()).toContain('set NAMEPLATE_EDGE_PROBE_ADDRESSES');
  },
);
