import { describe, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { issueCertificate } from '../../../shared/operations/certificates/orders/issue-certificate.ts';
import { deleteDomain } from '../../../shared/operations/domains/update-domain.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { claimJobs } from '../../../shared/store/claim-jobs.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

/** Runs the job as a worker does, and kills the worker at its first call of this ACME method. */
async function killedAt(under: CertificateWorld, method: KilledAt): Promise<void> {
  const { context, clock } = under.world;
  const [authority] = under.authorities;
  const issuance = context.issuance;
  if (!authority || !issuance) throw new Error('no authority');
  const dying = {
    ...authority,
    [method]: () => {
      throw new Error('killed');
    },
  };
  const [job] = await claim(under);
  if (!job) throw new Error('no job');
  context.issuance = { ...issuance, authorities: [dying] };
  for (let turns = 0; turns < 20; turns++) {
    const dueAt = await issueCertificate(context, job, async () => false).catch(
      (error: Error) => error.message,
    );
    if (typeof dueAt === 'string') {
      expect(dueAt).toBe('killed');
      context.issuance = issuance;
      return;
    }
    clock.move(SECOND_MS);
  }
  throw new Error('it was never asked for that');
}

type KilledAt = 'authorization' | 'challengeReady' | 'finalize' | 'chain' | 'order';

function claim({ world: { context, clock } }: CertificateWorld) {
  const now = clock.now();
  return claimJobs(context.store, {
    now,
    lease_until: now + 2 * MINUTE_MS,
    limit: 1,
    kinds: ['issue'],
    makeLeaseId: () => context.ids('lea'),
  });
}

describe('a certificate worker that is killed leaves its order to the next worker', () => {
  test.each(['order', 'authorization', 'challengeReady', 'finalize', 'chain'] as const)(
    'at %s leaves an order that the next worker continues',
    async (method) => {
      await using under = await certificateWorld();
      const id = await under.addIssuing(HOST);
      await killedAt(under, method);
      expect(await findCertificateOrder(under.world.context.store, id)).toMatchObject({ ca: 'first' });
      await under.pass(5 * MINUTE_MS);
      expect((await under.domain(id)).status).toBe('active');
      expect(under.acme.first.count('newOrder')).toBe(1);
    },
  );

  test.each(['order', 'finalize'])(
    'leaves an order that the next worker completes in spite of a transient failure of the authority: %s',
    async (resource) => {
      await using under = await certificateWorld();
      const id = await under.addIssuing(HOST);
      await killedAt(under, 'finalize');
      under.world.clock.move(3 * MINUTE_MS);
      under.acme.first.fail(resource, { status: 503, type: '', detail: '' });
      await under.pass(MINUTE_MS);
      expect(await under.domain(id)).toMatchObject({ status: 'active', certificate: { issuer: 'First CA' } });
      expect(under.acme.first.count('newOrder')).toBe(1);
    },
  );

  test('after it sent the finalize request leaves the private key for the next worker', async () => {
    await using under = await certificateWorld();
    under.acme.first.processingLooks = 3;
    const id = await under.addIssuing(HOST);
    await killedAt(under, 'chain');
    await under.pass(5 * MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('finalize')).toBe(1);
  });
});

test('an order survives failures of the authority that last less than a minute, but not longer failures', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.acme.first.processingLooks = 12;
  const id = await under.addIssuing(HOST);
  await under.pass(SECOND_MS);
  const failure = { status: 503, type: '', detail: '' };
  under.acme.first.fail('order', failure);
  await under.pass(2 * SECOND_MS);
  const { store } = under.world.context;
  expect(await findCertificateOrder(store, id)).toMatchObject({ failing_since: null });
  under.acme.first.fail('order', failure, 1000);
  await under.pass(30 * SECOND_MS);
  expect((await findCertificateOrder(store, id))?.failing_since).not.toBeNull();
  expect((await under.domain(id)).status_reason).toBeNull();
  await under.pass(2 * MINUTE_MS);
  expect((await under.domain(id)).status_reason).toBe('ca_unavailable');
});

test('a certificate worker that lost its lease writes nothing', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  const [slow] = await claim(under);
  under.world.clock.move(3 * MINUTE_MS);
  await under.pass(MINUTE_MS);
  const before = await findNewestCertificate(under.world.context.store, id);
  if (!slow) throw new Error('no job');
  expect(await issueCertificate(under.world.context, slow, async () => false)).not.toBe(slow.due_at);
  expect(await findNewestCertificate(under.world.context.store, id)).toEqual(before);
  expect(await findCertificateOrder(under.world.context.store, id)).toBeNull();
  expect(under.acme.first.count('newOrder')).toBe(1);
});

test('a domain that is deleted during a certificate order leaves nothing behind', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  await killedAt(under, 'finalize');
  const { context } = under.world;
  await deleteDomain(context, under.caller, { params: { id } });
  await under.pass(HOUR_MS);
  expect(await findCertificateOrder(context.store, id)).toBeNull();
  expect(await findNewestCertificate(context.store, id)).toBeNull();
  expect(under.acme.first.count('finalize')).toBe(0);
});

test('the next attempt replaces a certificate order that the authority no longer knows', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  const id = await under.addIssuing(HOST);
  await killedAt(under, 'finalize');
  under.acme.first.fail('order', { status: 404, type: 'malformed', detail: 'no such order' }, 1000);
  await under.pass(4 * MINUTE_MS);
  under.acme.first.recover();
  await under.pass(5 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(under.acme.first.count('newOrder')).toBe(2);
});

test('an authority that loses every order is tried as often as an authority that fails', async () => {
  await using under = await certificateWorld({ authorities: ['first'] });
  under.acme.first.fail('order', { status: 404, type: 'malformed', detail: 'no such order' }, 1000);
  const id = await under.addIssuing(HOST);
  await under.pass(HOUR_MS);
  expect(under.acme.first.count('newOrder')).toBe(3);
  expect(await under.domain(id)).toMatchObject({ status: 'cert_failed', status_reason: 'ca_unavailable' });
});

test('a domain whose record broke and was repaired gets a new certificate order', async () => {
  await using under = await certificateWorld();
  const id = await under.addIssuing(HOST);
  await killedAt(under, 'finalize');
  const { context } = under.world;
  await causeTransition(context, await under.domain(id), { name: 'dns_gone' });
  await under.pass(HOUR_MS);
  expect(under.acme.first.count('finalize')).toBe(0);
  await causeTransition(context, await under.domain(id), {
    name: 'dns_confirmed',
    routed_through: 'target',
  });
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
});
