import { expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import { CHANGED_DOMAIN } from '../resources.ts';

/** Tests hostnames on hold for review (`docs/api.md#states-and-transitions`). */
export const holds: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  test('3: a held hostname holds its domain, and a release restores the earlier state', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().trigger(id, 'dns_confirmed');
    await driver().hold('careers.acme.com');
    const held = await getDomain(live(), id);
    expect(held).toMatchObject({ status: 'held', status_reason: 'hostname_held', next_check_at: null });
    expect(held.status_detail?.hint).not.toBe('');
    await driver().release('careers.acme.com');
    const released = await getDomain(live(), id);
    expect(released).toMatchObject({ status: 'issuing', status_reason: null, status_detail: null });
    const events = await eventsOf(live(), id);
    expect(
      events.slice(2).map(({ type, previous_status, status }) => [type, previous_status, status]),
    ).toEqual([
      ['domain.held', 'issuing', 'held'],
      ['domain.released', 'held', 'issuing'],
    ]);
  });

  test('3: a held domain does not change by itself', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().hold('careers.acme.com');
    await driver().advance('100d');
    expect(await getDomain(testMode(), id)).toMatchObject({ status: 'held', certificate: null });
    expect(await eventsOf(testMode(), id)).toHaveLength(2);
    await driver().release('careers.acme.com');
    await driver().advanceUntilIdle();
    expect((await getDomain(testMode(), id)).status).toBe('active');
  });

  test('3: a hold extends the 72 hours by its duration', async () => {
    const hostname = 'dns-record-missing.acme.com';
    const { id } = await addDomain(testMode(), hostname);
    await driver().advance('70h');
    await driver().hold(hostname);
    await driver().advance('10h');
    await driver().release(hostname);
    expect(await getDomain(testMode(), id)).toMatchObject({
      status: 'pending_dns',
      status_reason: 'dns_record_missing',
    });
    await driver().advance('1h59m59s');
    expect((await getDomain(testMode(), id)).status).toBe('pending_dns');
    await driver().advance('1s');
    expect((await getDomain(testMode(), id)).status).toBe('expired');
  });

  test('3: a certificate that expired during a hold is issued again', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().advance('10s');
    await driver().hold('careers.acme.com');
    await driver().advance('100d');
    await driver().release('careers.acme.com');
    await driver().advance('10s');
    const { status, certificate } = await getDomain(testMode(), id);
    expect(status).toBe('active');
    expect(Date.parse(certificate?.not_after ?? '')).toBeGreaterThan(await driver().now());
    const types = (await eventsOf(testMode(), id)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['domain.held', 'domain.released', 'domain.active']);
  });

  test('4.3: a held hostname cannot be added in either mode', async () => {
    await driver().hold('careers.acme.com');
    for (const api of [live(), testMode()]) {
      (await api.post('/v1/domains', { hostname: 'Careers.Acme.com' })).refused('hostname_held');
    }
    await driver().release('careers.acme.com');
    await addDomain(live(), 'careers.acme.com');
  });

  test('4.3: an expired domain of a held hostname is held, and cannot be revived', async () => {
    const hostname = 'dns-record-missing.acme.com';
    const { id } = await addDomain(testMode(), hostname);
    await driver().advance('72h');
    await driver().hold(hostname);
    expect((await getDomain(testMode(), id)).status).toBe('held');
    const again = (await testMode().post('/v1/domains', { hostname })).as(200, CHANGED_DOMAIN);
    expect(again.status).toBe('held');
    await driver().release(hostname);
    expect((await getDomain(testMode(), id)).status).toBe('expired');
  });

  test('3: a hold of *.name covers all names below the name, but not the name itself', async () => {
    const names = ['a.held-zone.com', 'b.a.held-zone.com', 'held-zone.com', 'notheld-zone.com'];
    const domains = await Promise.all(names.map((hostname) => addDomain(live(), hostname)));
    await driver().hold('*.held-zone.com');
    const statuses = await Promise.all(domains.map(async ({ id }) => (await getDomain(live(), id)).status));
    expect(statuses).toEqual(['held', 'held', 'pending_dns', 'pending_dns']);
    (await live().post('/v1/domains', { hostname: 'c.held-zone.com' })).refused('hostname_held');
    await addDomain(live(), 'd.notheld-zone.com');
  });

  test('3: a domain stays held while another hold covers it', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().hold('careers.acme.com');
    await driver().hold('*.acme.com');
    await driver().release('careers.acme.com');
    expect((await getDomain(live(), id)).status).toBe('held');
    await driver().release('*.acme.com');
    expect((await getDomain(live(), id)).status).toBe('pending_dns');
    expect((await eventsOf(live(), id)).map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.held',
      'domain.released',
    ]);
  });

  test('3: a hold covers the hostname in every app', async () => {
    const other = await driver().createApp({ name: 'Other' });
    const ours = await addDomain(live(), 'careers.acme.com');
    const theirs = await addDomain(client(driver(), other.live_key), 'careers.acme.com');
    await driver().hold('careers.acme.com');
    expect((await getDomain(live(), ours.id)).status).toBe('held');
    expect((await getDomain(client(driver(), other.live_key), theirs.id)).status).toBe('held');
  });

  test('3: a held domain can be changed and deleted', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().hold('careers.acme.com');
    const changed = (await live().patch(`/v1/domains/${id}`, { metadata: { a: 1 } })).as(200, CHANGED_DOMAIN);
    expect(changed).toMatchObject({ status: 'held', metadata: { a: 1 } });
    (await live().delete(`/v1/domains/${id}`)).empty();
    (await live().post('/v1/domains', { hostname: 'careers.acme.com' })).refused('hostname_held');
  });
};
