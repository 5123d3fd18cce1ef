import { describe, expect, test } from 'vitest';
import type { DomainId } from '../../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import { holdHostname } from '../../../shared/operations/domains/hold-hostname.ts';
import { listPastCertificates } from '../../../shared/store/certificates/certificate-history.ts';
import { findCertificateOrder } from '../../../shared/store/certificates/certificate-orders.ts';
import { findRouteOwner } from '../../../shared/store/domains/routes.ts';
import { causeTransition } from '../domains/cause-transition.ts';
import { HOST, preparingWorld } from './preparing-world.ts';

test('a domain with a delegated challenge gets its certificate before its record exists, without an event', async () => {
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

test('after the DNS switch, the domain uses the certificate from before the switch', async () => {
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
  // The history lists the certificate once, although the service stored it before the DNS switch and used it afterwards.
  const history = await listPastCertificates(under.world.context.store, id);
  expect(history.map((past) => past.serial)).toEqual([serial]);
});

test('after the DNS switch, the domain uses the certificate from before the switch even while its renewal fails', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  const id = await world.add(HOST);
  world.delegate(HOST, id);
  await under.pass(2 * MINUTE_MS);
  const serial = await world.serialOf(id);
  const refuse = () => ({ type: 'connection', detail: 'Timeout during connect' });
  under.acme.first.validate = refuse;
  under.acme.second.validate = refuse;
  await world.passQuickly(65 * DAY_MS);
  expect(under.acme.first.count('newOrder')).toBeGreaterThan(1);
  expect(await world.isReady(id)).toBe(true);
  await causeTransition(under.world.context, await under.domain(id), {
    name: 'dns_confirmed',
    routed_through: 'target',
  });
  delete under.handlers.check_dns;
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await world.serialOf(id)).toBe(serial);
  under.acme.first.validate = () => null;
  await under.pass(2 * DAY_MS);
  const renewed = await world.serialOf(id);
  expect(renewed).not.toBe(serial);
  const history = await listPastCertificates(under.world.context.store, id);
  expect(history.map((past) => past.serial)).toEqual([renewed, serial]);
});

test('a delegated challenge proves ownership: an apex needs no TXT record', async () => {
  await using world = await preparingWorld();
  const id = await world.add('acme.com');
  expect(await world.needsTxt(id)).toBe(true);
  world.delegate('acme.com', id);
  await world.under.pass(2 * MINUTE_MS);
  expect(await world.isReady(id)).toBe(true);
  expect(await world.needsTxt(id)).toBe(false);
});

describe('the 72-hour window of a domain with a certificate before the switch is extended', () => {
  test('does not end while the delegation exists, and the certificate is renewed', async () => {
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

  test('is extended for at most 90 days after the domain was added, and then the certificate is deleted', async () => {
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

  test('ends within three days after the delegation is gone', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const id = await world.add(HOST);
    world.delegate(HOST, id);
    await world.passQuickly(20 * DAY_MS);
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

  test('if the delegation points to a domain that was deleted and added again', async () => {
    await using world = await preparingWorld();
    const { under } = world;
    const before = await world.add(HOST);
    world.delegate(HOST, before);
    const { context } = under.world;
    await causeTransition(context, await under.domain(before), { name: 'delete' });
    const id = await world.add(HOST);
    await under.pass(HOUR_MS);
    expect(await world.isReady(id)).toBe(false);
    expect(under.acme.first.count('newOrder')).toBe(0);
  });

  test('if only another hostname has a delegation', async () => {
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

test('a hostname that is live in another app can get a certificate before the switch, and moves at the switch', async () => {
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
  await causeTransition(under.world.context, await under.domain(id), confirmed);
  await under.pass(MINUTE_MS);
  expect((await under.domain(id)).status).toBe('active');
  expect(await findRouteOwner(store, HOST)).toBe(id);
  expect(await world.serialOf(id)).toBe(serial);
});

test('if CAA records forbid a certificate before the switch, the status reason stays about the record, and a retry follows', async () => {
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

test('an import of many domains with delegated challenges does not delay the certificate of another app', async () => {
  await using world = await preparingWorld();
  const { under } = world;
  for (const { ca } of under.authorities) {
    Object.assign(ca.limits, { orders: { limit: 12, window_ms: 3 * HOUR_MS } });
  }
  const imported: DomainId[] = [];
  for (let index = 0; index < 60; index++) {
    const hostname = `careers.customer${index}.com`;
    const id = await world.add(hostname);
    world.delegate(hostname, id);
    imported.push(id);
  }
  delete under.handlers.check_dns;
  await under.pass(20 * MINUTE_MS);
  const areReady = await Promise.all(imported.map((id) => world.isReady(id)));
  expect(areReady).toContain(true);
  expect(areReady).toContain(false);
  const neighbour = { ...(await under.world.addApp('neighbour')), mode: 'live' } as const;
  const id = await world.add('careers.neighbour.com', neighbour);
  world.delegate('careers.neighbour.com', id);
  await under.pass(2 * MINUTE_MS);
  expect(await world.isReady(id)).toBe(true);
});
