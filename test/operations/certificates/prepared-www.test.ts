import { expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { findEdgeRoute } from '../../../shared/operations/edge/find-edge-route.ts';
import { findNewestCertificate } from '../../../shared/store/certificates/certificates.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { preparingWorld } from './preparing-world.ts';

/** Tests how an apex and its `www` name get a certificate before the switch, that is, before the customer's DNS records point to us. */

const APEX = 'acme.com';
const WWW = 'www.acme.com';
const REFUSED = { type: 'connection', detail: 'Timeout during connect' };

async function worldWithApex() {
  const world = await preparingWorld();
  const { context } = world.under.world;
  const id = await world.add(APEX, world.under.caller, { apex_redirect: 'www' });
  return {
    ...world,
    id,
    /** Points the apex to us. The records of `www` still point to the old host. */
    async switch() {
      await causeTransition(context, await world.under.domain(id), {
        name: 'dns_confirmed',
        routed_through: 'target',
      });
    },
    orders: () => world.under.acme.first.count('newOrder'),
    namesOf: async (of: DomainId) => (await findNewestCertificate(context.store, of))?.names,
  };
}

test('a certificate issued before the switch covers www if the challenges of both names are delegated', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(2 * MINUTE_MS);
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
  await world.switch();
  await under.pass(2 * MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
  expect(world.orders()).toBe(1);
});

test('if the challenges of www are delegated later, a new certificate covers www within 15 minutes, before the switch', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  world.delegate(APEX, id);
  await under.pass(30 * MINUTE_MS);
  expect(await world.namesOf(id)).toEqual([APEX]);
  expect(await world.isReady(id)).toBe(true);
  world.delegate(WWW, id);
  await under.pass(16 * MINUTE_MS);
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
  expect(await world.isReady(id)).toBe(true);
  await world.passQuickly(20 * DAY_MS);
  expect(world.orders()).toBe(2);
});

test('a certificate issued before the switch does not cover www if the challenges of www are delegated to another domain', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
  world.delegate(APEX, id);
  world.delegate(WWW, await world.add(APEX, rival));
  await under.pass(HOUR_MS);
  expect(await world.namesOf(id)).toEqual([APEX]);
});

test('a certificate issued before the switch does not cover www if www is a live domain of another app', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
  under.right.add(WWW);
  const theirs = await world.add(WWW, rival);
  await under.pass(5 * MINUTE_MS);
  expect((await under.domain(theirs)).status).toBe('active');
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(HOUR_MS);
  expect(await world.namesOf(id)).toEqual([APEX]);
});

test('www redirects to its apex if the certificate of the apex covers www, even if another app has added www', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  const { context } = under.world;
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(2 * MINUTE_MS);
  await world.switch();
  await under.pass(2 * MINUTE_MS);
  const rival = { ...(await under.world.addApp('rival')), mode: 'live' } as const;
  const theirs = await world.add(WWW, rival);
  world.delegate(WWW, theirs);
  await under.pass(5 * MINUTE_MS);
  expect(await world.isReady(theirs)).toBe(true);
  expect(await findEdgeRoute(context, WWW)).toMatchObject({ domain_id: id, redirectTo: APEX });
});

test('a failed validation of www does not prevent the certificate of the apex, and www is tried again a day later', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  under.acme.first.validate = ({ hostname }) => (hostname === APEX ? null : REFUSED);
  under.acme.second.validate = under.acme.first.validate;
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(12 * HOUR_MS);
  expect(await world.namesOf(id)).toEqual([APEX]);
  const tried = world.orders();
  under.acme.first.validate = () => null;
  under.acme.second.validate = () => null;
  await under.pass(6 * HOUR_MS);
  expect(world.orders()).toBe(tried);
  await under.pass(7 * HOUR_MS);
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
});

test('www stays in the certificate if www still points to the old host after the switch', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(2 * MINUTE_MS);
  await world.switch();
  delete under.handlers.check_dns;
  await under.pass(80 * DAY_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
  expect(world.orders()).toBeGreaterThan(1);
});

test('www causes no further order while CAA records forbid its certificate', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  under.caa.set(WWW, '0 issue "other.example"');
  world.delegate(APEX, id);
  world.delegate(WWW, id);
  await under.pass(3 * HOUR_MS);
  expect(await world.namesOf(id)).toEqual([APEX]);
  expect(await world.isReady(id)).toBe(true);
  expect(world.orders()).toBe(1);
  under.caa.clear();
  await world.passQuickly(DAY_MS);
  expect(await world.namesOf(id)).toEqual([APEX, WWW]);
});

test('a failed order for www does not replace the certificate of the apex, not even at the switch', async () => {
  await using world = await worldWithApex();
  const { under, id } = world;
  world.delegate(APEX, id);
  await under.pass(2 * MINUTE_MS);
  const serial = await world.serialOf(id);
  under.acme.first.validate = ({ hostname }) => (hostname === APEX ? null : REFUSED);
  under.acme.second.validate = under.acme.first.validate;
  world.delegate(WWW, id);
  await under.pass(3 * HOUR_MS);
  expect(world.orders()).toBe(2);
  expect(await world.serialOf(id)).toBe(serial);
  await world.switch();
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await world.serialOf(id)).toBe(serial);
});
