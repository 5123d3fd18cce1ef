import { describe, expect, test } from 'vitest';
import { challengeName, delegationTarget } from '../../../shared/core/certificates/acme-challenge.ts';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { createDomain } from '../../../shared/operations/domains/create-domain.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { presentDomain } from '../../../shared/operations/domains/present-domain.ts';
import { recordTransition } from '../../../shared/operations/domains/record-transition.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { certificateWorld } from './certificate-world.ts';

const HOST = 'careers.acme.com';
const CHALLENGE_ZONE = 'acme.edge.service.test';

/** The world of certificates with a name server of ours. `delegations` has the CNAME at `_acme-challenge` of each hostname. */
async function preparingWorld() {
  const under = await certificateWorld();
  const { context } = under.world;
  const delegations = new Map<string, string>();
  context.settings = { ...context.settings, challengeZone: CHALLENGE_ZONE };
  context.cnameLookup = {
    chain: async (host) => {
      const found = [...delegations].find(([hostname]) => challengeName(hostname) === host);
      return found === undefined ? [] : [found[1]];
    },
  };
  const { edge } = under;
  under.edge = {
    ...edge,
    // Our name servers have what the store has.
    answersChallenge: async (challenge) => challenge.method === 'dns-01' || edge.answersChallenge(challenge),
  };
  under.runChecks();
  return {
    under,
    delegations,
    async add(hostname: string, caller = under.caller): Promise<DomainId> {
      const { body } = await createDomain(context, caller, { body: { hostname } });
      return body.id as DomainId;
    },
    delegate: (hostname: string, id: DomainId) =>
      void delegations.set(hostname, delegationTarget(id, CHALLENGE_ZONE)),
    async isReady(id: DomainId): Promise<boolean> {
      return presentDomain(context, 'target', await under.domain(id)).ready_to_switch;
    },
    /** Passes days with one DNS check at their end. */
    async passQuickly(durationMs: number): Promise<void> {
      delete under.handlers.check_dns;
      await under.pass(durationMs);
      under.runChecks();
      await under.pass(MINUTE_MS);
    },
    serialOf: async (id: DomainId) => (await findNewestCertificate(context.store, id))?.serial,
    [Symbol.asyncDispose]: () => under[Symbol.asyncDispose](),
  };
}

test('a delegated domain gets its certificate while it waits, without an event', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  const id = await world.add(HOST);
  await under.pass(5 * MINUTE_MS);
  expect(await world.isReady(id)).toBe(false);
  world.delegate(HOST, id);
  await under.pass(2 * MINUTE_MS);
  expect(await world.isReady(id)).toBe(true);
  expect(await under.domain(id)).toMatchObject({
    status: 'pending_dns',
    status_reason: 'dns_record_missing',
    certificate: { issuer: 'First CA' },
  });
  expect(await findRouteOwner(under.world.context.store, HOST)).toBe(id);
  expect(under.events).toEqual(['domain.created']);
});

test('the switch takes the certificate that is there', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  const id = await world.add(HOST);
  world.delegate(HOST, id);
  await under.pass(2 * MINUTE_MS);
  const serial = await world.serialOf(id);
  under.right.add(HOST);
  await under.pass(2 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await world.serialOf(id)).toBe(serial);
  expect(under.acme.first.count('newOrder')).toBe(1);
  expect(under.events).toEqual(['domain.created', 'domain.verified', 'domain.active']);
  expect(await findCertificateOrder(under.world.context.store, id)).toBeNull();
});

describe('the 72 hours', () => {
  test('do not end while the delegation stands, and the certificate is renewed', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    world.delegate(HOST, id);
    await under.pass(2 * MINUTE_MS);
    const serial = await world.serialOf(id);
    await world.passQuickly(80 * DAY_MS);
    expect((await under.domain(id)).status).toBe('pending_dns');
    expect(await world.isReady(id)).toBe(true);
    expect(await world.serialOf(id)).not.toBe(serial);
    expect(under.acme.first.count('newOrder')).toBe(2);
  });

  test('end 90 days after the domain was added, and the certificate is erased', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    world.delegate(HOST, id);
    await world.passQuickly(91 * DAY_MS);
    expect((await under.domain(id)).status).toBe('pending_dns');
    await under.pass(2 * DAY_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'expired', certificate: null });
    expect(await world.serialOf(id)).toBeUndefined();
    expect(await findRouteOwner(under.world.context.store, HOST)).toBeNull();
  });

  test('end within three days after the delegation is gone', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    world.delegate(HOST, id);
    await under.pass(20 * DAY_MS);
    expect((await under.domain(id)).status).toBe('pending_dns');
    world.delegations.clear();
    await under.pass(3 * DAY_MS);
    expect(await under.domain(id)).toMatchObject({ status: 'expired', certificate: null });
  });
});

describe('a certificate before the switch is refused', () => {
  test('to another app that adds the same hostname', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
    const own = await world.add(HOST);
    const theirs = await world.add(HOST, rival);
    world.delegate(HOST, own);
    await under.pass(HOUR_MS);
    expect(await world.isReady(own)).toBe(true);
    expect(await world.isReady(theirs)).toBe(false);
    expect(await world.serialOf(theirs)).toBeUndefined();
  });

  test('by a delegation to a domain that was deleted and added again', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const before = await world.add(HOST);
    world.delegate(HOST, before);
    const { context } = under.world;
    await recordTransition(context, await under.domain(before), { name: 'delete' });
    const id = await world.add(HOST);
    await under.pass(HOUR_MS);
    expect(await world.isReady(id)).toBe(false);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });

  test('by a delegation of another hostname', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    world.delegate('jobs.acme.com', id);
    await under.pass(HOUR_MS);
    expect(await world.isReady(id)).toBe(false);
  });

  test('while the hostname is held', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    await holdHostname(under.world.context, HOST, 'review');
    world.delegate(HOST, id);
    await under.pass(HOUR_MS);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });
});

test('a hostname that another app has live is prepared beside it, and moves at the switch', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  const { store } = under.world.context;
  const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
  under.right.add(HOST);
  const live = await world.add(HOST, rival);
  await under.pass(MINUTE_MS);
  expect((await under.domain(live)).status).toBe('active');
  under.right.delete(HOST);
  const id = await world.add(HOST);
  world.delegate(HOST, id);
  await under.pass(2 * MINUTE_MS);
  expect(await world.isReady(id)).toBe(true);
  expect(await findRouteOwner(store, HOST)).toBe(live);
  const serial = await world.serialOf(id);
  delete under.handlers.check_dns;
  const confirmed = { name: 'dns_confirmed', routed_through: 'target' } as const;
  await recordTransition(under.world.context, await under.domain(id), confirmed);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await findRouteOwner(store, HOST)).toBe(id);
  expect(await world.serialOf(id)).toBe(serial);
});

test('a failing authority leaves the reason of the record, and is asked again later', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  under.caa.set('acme.com', '0 issue "other.example"');
  const id = await world.add(HOST);
  world.delegate(HOST, id);
  await under.pass(HOUR_MS);
  expect(await under.domain(id)).toMatchObject({
    status: 'pending_dns',
    status_reason: 'dns_record_missing',
  });
  expect(under.acme.first.count('newOrder')).toBe(0);
  under.caa.clear();
  await under.pass(DAY_MS);
  expect(await world.isReady(id)).toBe(true);
});
