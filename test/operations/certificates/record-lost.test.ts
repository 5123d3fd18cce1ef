import { describe, expect, test } from 'vitest';
import type { TriggerName } from '../../../shared/core/domains/transitions.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/core/instant.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { saveDomain } from '../../../shared/store/domains/domains.ts';
import { autocommit } from '../../../shared/store/store.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { challengeSource } from '../edge/stored-values.ts';
import { type CertificateWorld, certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';

async function happens(under: CertificateWorld, id: DomainId, name: TriggerName): Promise<void> {
  await causeTransition(under.world.context, await under.domain(id), { name, routed_through: 'target' });
}

/** Returns an open challenge of a domain, which the CA has not validated yet. */
async function whileOpen(
  under: CertificateWorld,
  id: DomainId,
): Promise<{ hostname: string; token: string }> {
  const { store } = under.world.context;
  const { edge } = under;
  under.edge = { ...edge, answersChallenge: async () => false };
  await under.pass(2 * SECOND_MS);
  under.edge = edge;
  const [open] = await store.db.selectFrom('challenges').selectAll().where('domain_id', '=', id).execute();
  if (!open) throw new Error('no challenge is open');
  return open;
}

function answer(under: CertificateWorld, { hostname, token }: { hostname: string; token: string }) {
  return challengeSource(under.world.context).findKeyAuthorization(hostname, token);
}

/** Lets time pass while the edge shows no new certificate. `mend` repairs the edge. */
async function whileUnproven(under: CertificateWorld, durationMs: number): Promise<{ mend(): void }> {
  const { edge } = under;
  under.edge = { ...edge, showsCertificate: async () => false };
  await under.pass(durationMs);
  return {
    mend() {
      under.edge = edge;
    },
  };
}

describe.each(['hold', 'dns_gone', 'whitelabel_grace_passed', 'delete'] as const)(
  'the trigger %s ends a certificate order',
  (name) => {
    test('and deletes the order and its challenges', async () => {
      await using under = await certificateWorld();
      const id = await under.addIssuing(HOST);
      const open = await whileOpen(under, id);
      expect(await answer(under, open)).not.toBeNull();
      await happens(under, id, name);
      expect(await answer(under, open)).toBeNull();
      const { store } = under.world.context;
      expect(await findCertificateOrder(store, id)).toBeNull();
      expect(await store.db.selectFrom('challenges').selectAll().execute()).toEqual([]);
      await under.pass(HOUR_MS);
      expect(under.acme.first.count('challenge')).toBe(0);
    });
  },
);

describe('a stored certificate that the edge does not serve yet', () => {
  test.each([
    ['hold', 'release'],
    ['dns_gone', 'dns_confirmed'],
    ['whitelabel_grace_passed', 'dns_confirmed'],
  ] as const)('is used after %s and %s, and not ordered again', async (lost, found) => {
    await using under = await certificateWorld();
    const id = await under.addIssuing(HOST);
    const { mend } = await whileUnproven(under, MINUTE_MS);
    await happens(under, id, lost);
    await under.pass(HOUR_MS);
    mend();
    await happens(under, id, found);
    under.right.add(HOST);
    under.runChecks();
    await under.pass(MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(1);
  });

  test('from a renewal is used by the domain that gets its route back', async () => {
    await using under = await certificateWorld({ ari: false });
    const { store } = under.world.context;
    const id = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    const { mend } = await whileUnproven(under, 60 * DAY_MS + MINUTE_MS);
    const renewal = await findNewestCertificate(store, id);
    expect(renewal?.not_after).toBeGreaterThan((await under.domain(id)).certificate?.not_after ?? 0);
    const mine = under.caller;

    // Another app's domain takes over the hostname and gets its own certificate.
    mend();
    under.caller = { ...(await under.world.addApp('rival')), mode: 'live' };
    const rival = await under.addIssuing(HOST);
    await under.pass(MINUTE_MS);
    expect((await under.domain(rival)).status).toBe('active');
    expect((await under.domain(id)).status).toBe('dns_broken');
    expect(under.acme.first.count('newOrder')).toBe(3);

    under.caller = mine;
    await happens(under, id, 'dns_confirmed');
    await under.pass(DAY_MS);
    expect(await under.domain(id)).toMatchObject({
      status: 'active',
      certificate: { not_after: renewal?.not_after },
    });
    expect(await findCertificateOrder(store, id)).toBeNull();
    expect(under.acme.first.count('newOrder')).toBe(3);
  });

  test('is ordered again if it expired while the record was broken', async () => {
    await using under = await certificateWorld();
    const id = await under.addIssuing(HOST);
    const { mend } = await whileUnproven(under, MINUTE_MS);
    await happens(under, id, 'dns_gone');
    await under.pass(91 * DAY_MS);
    mend();
    await happens(under, id, 'dns_confirmed');
    await under.pass(MINUTE_MS);
    expect((await under.domain(id)).status).toBe('active');
    expect(under.acme.first.count('newOrder')).toBe(2);
  });
});

test('the edge serves no challenge response of a domain that has lost the hostname', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const id = await under.addIssuing(HOST);
  const former = await whileOpen(under, id);
  const [left] = await context.store.db.selectFrom('challenges').selectAll().execute();
  under.caller = { ...(await under.world.addApp('rival')), mode: 'live' };
  const rival = await under.addIssuing(HOST);
  expect(await answer(under, former)).toBeNull();
  // Even if the old challenge were still in the database, the edge would not answer it.
  if (left) await autocommit(context.store).db.insertInto('challenges').values(left).execute();
  expect(await answer(under, former)).toBeNull();
  const present = await whileOpen(under, rival);
  expect(await answer(under, present)).not.toBeNull();
});

test('the edge serves the challenge response of www for the apex that redirects it, until another domain has www', async () => {
  await using under = await certificateWorld();
  const { store } = under.world.context;
  under.right.add('www.acme.com');
  const id = await under.addIssuing('acme.com', { apex_redirect: 'www' });
  await whileOpen(under, id);
  const rows = await store.db.selectFrom('challenges').selectAll().execute();
  const open = rows.find(({ hostname }) => hostname === 'www.acme.com');
  if (!open) throw new Error('no challenge of www');
  expect(await answer(under, open)).toBe(open.key_authorization);
  under.caller = { ...(await under.world.addApp('rival')), mode: 'live' };
  await under.addIssuing('www.acme.com');
  expect(await answer(under, open)).toBeNull();
});

test('a test domain, which a timer makes active, has no certificate order', async () => {
  await using under = await certificateWorld();
  const { context } = under.world;
  const id = await under.addIssuing(HOST);
  await saveDomain(autocommit(context.store), { ...(await under.domain(id)), mode: 'test' });
  await happens(under, id, 'hold');
  await happens(under, id, 'release');
  expect(await findCertificateOrder(context.store, id)).toBeNull();
});
