import { expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import { CHANGED_DOMAIN, DOMAINS, EVENTS } from '../resources.ts';

/** Tests states and transitions, with one event for each change of state, in order (`docs/api.md#states-and-transitions`). */
export const states: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const statusOf = async (id: string) => (await getDomain(live(), id)).status;

  /** Lists a domain's events as `type: previous -> status`, oldest first. */
  async function history(id: string): Promise<string[]> {
    const events = await eventsOf(live(), id);
    const times = events.map(({ created_at }) => Date.parse(created_at));
    expect(times.every((time, index) => index === 0 || time > Number(times[index - 1]))).toBe(true);
    return events.map(({ type, previous_status, status }) => `${type}: ${previous_status} -> ${status}`);
  }

  /** Creates a live domain, and brings the domain to a status by triggers. */
  async function domainIn(status: string, hostname = 'careers.acme.com'): Promise<string> {
    const { id } = await addDomain(live(), hostname);
    for (const step of WAY_TO[status] ?? []) await driver().trigger(id, step);
    expect(await statusOf(id)).toBe(status);
    return id;
  }

  test('3: a new hostname becomes pending_dns with 201 and domain.created', async () => {
    const { id, status } = await addDomain(live(), 'careers.acme.com');
    expect(status).toBe('pending_dns');
    expect(await history(id)).toEqual(['domain.created: null -> pending_dns']);
  });

  test.each(Object.keys(WAY_TO).filter((status) => status !== 'expired'))(
    '3: adding the same hostname again changes nothing while the domain is %s, and responds with 200',
    async (status) => {
      const id = await domainIn(status);
      const before = await getDomain(live(), id);
      const events = await history(id);
      const again = (await live().post('/v1/domains', { hostname: 'CAREERS.acme.com.' })).as(
        200,
        CHANGED_DOMAIN,
      );
      expect(again).toEqual(before);
      expect(await getDomain(live(), id)).toEqual(before);
      expect(await history(id)).toEqual(events);
    },
  );

  test('3: the path to active emits verified and active', async () => {
    const id = await domainIn('active');
    expect(await history(id)).toEqual([
      'domain.created: null -> pending_dns',
      'domain.verified: pending_dns -> issuing',
      'domain.active: issuing -> active',
    ]);
    expect(await getDomain(live(), id)).toMatchObject({ status_reason: null, status_detail: null });
  });

  test('3: a record that only some resolvers see moves a domain to verifying and back, without an event', async () => {
    const id = await domainIn('verifying');
    await driver().trigger(id, 'dns_unseen');
    expect(await statusOf(id)).toBe('pending_dns');
    expect(await history(id)).toHaveLength(1);
  });

  test.each(['active', 'cert_failed', 'issuing'])(
    '3: removing the record takes a domain from %s to dns_broken, with the reason',
    async (status) => {
      const id = await domainIn(status);
      await driver().trigger(id, 'dns_gone', 'dns_record_missing');
      expect((await history(id)).at(-1)).toBe(`domain.dns_broken: ${status} -> dns_broken`);
      const { status_reason, status_detail } = await getDomain(live(), id);
      expect(status_reason).toBe('dns_record_missing');
      expect(status_detail?.hint).not.toBe('');
    },
  );

  test('3: visitors with cached DNS keep the certificate of a broken domain', async () => {
    const id = await domainIn('active');
    const { certificate } = await getDomain(live(), id);
    await driver().trigger(id, 'dns_gone', 'dns_record_mismatch');
    expect((await getDomain(live(), id)).certificate).toEqual(certificate);
  });

  test('3: a repaired domain with a valid certificate is active at once', async () => {
    const id = await domainIn('dns_broken');
    await driver().trigger(id, 'dns_confirmed');
    expect((await history(id)).at(-1)).toBe('domain.active: dns_broken -> active');
  });

  test('3: a repaired domain without a valid certificate gets a new one first', async () => {
    const id = await domainIn('issuing');
    await driver().trigger(id, 'dns_gone', 'dns_record_missing');
    await driver().trigger(id, 'dns_confirmed');
    expect((await history(id)).at(-1)).toBe('domain.verified: dns_broken -> issuing');
  });

  test('3: a failed issuance makes a domain cert_failed, with the reason', async () => {
    const id = await domainIn('issuing');
    await driver().trigger(id, 'issuance_failed', 'caa_forbids');
    expect((await history(id)).at(-1)).toBe('domain.cert_failed: issuing -> cert_failed');
    expect(await getDomain(live(), id)).toMatchObject({
      status: 'cert_failed',
      status_reason: 'caa_forbids',
    });
  });

  test('3: a failed renewal makes a domain cert_failed and keeps the certificate', async () => {
    const id = await domainIn('active');
    const { certificate } = await getDomain(live(), id);
    await driver().trigger(id, 'renewal_failed', 'ca_unavailable');
    expect((await history(id)).at(-1)).toBe('domain.cert_failed: active -> cert_failed');
    expect((await getDomain(live(), id)).certificate).toEqual(certificate);
  });

  test('3: verify retries the issuance of a domain in cert_failed', async () => {
    const id = await domainIn('cert_failed');
    expect((await live().post(`/v1/domains/${id}/verify`)).status).toBe(202);
    expect(await statusOf(id)).toBe('issuing');
    await driver().trigger(id, 'certificate_issued');
    expect((await history(id)).slice(-2)).toEqual([
      'domain.cert_failed: issuing -> cert_failed',
      'domain.active: issuing -> active',
    ]);
  });

  test('3: the daily retry of a domain in cert_failed can make it active, and nothing changes before', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().trigger(id, 'dns_confirmed');
    await driver().trigger(id, 'issuance_failed', 'ca_unavailable');
    await driver().advance('23h59m59s');
    expect((await getDomain(testMode(), id)).status).toBe('cert_failed');
    await driver().advance('2s');
    expect((await getDomain(testMode(), id)).status).toBe('active');
    expect((await eventsOf(testMode(), id)).at(-1)).toMatchObject({
      type: 'domain.active',
      previous_status: 'cert_failed',
    });
  });

  test('3: a certificate is renewed on day 60 of 90, with an event, and the domain stays active', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().advance('10s');
    const { certificate: first } = await getDomain(testMode(), id);
    await driver().advance('59d23h59m59s');
    expect((await getDomain(testMode(), id)).certificate).toEqual(first);
    await driver().advance('1s');
    const { certificate: second, status } = await getDomain(testMode(), id);
    expect(status).toBe('active');
    expect(second?.not_before).toBe(first?.renews_at);
    const events = await eventsOf(testMode(), id);
    expect(events.at(-1)).toMatchObject({
      type: 'domain.certificate_renewed',
      previous_status: 'active',
      status: 'active',
    });
    await driver().advance('120d');
    const types = (await eventsOf(testMode(), id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'domain.certificate_renewed')).toHaveLength(3);
  });

  test.each(Object.keys(WAY_TO))('3: a domain that is %s can be deleted, and is gone', async (status) => {
    const id = await domainIn(status);
    (await live().delete(`/v1/domains/${id}`)).empty();
    (await live().get(`/v1/domains/${id}`)).refused('not_found');
    (await live().patch(`/v1/domains/${id}`, {})).refused('not_found');
    (await live().delete(`/v1/domains/${id}`)).refused('not_found');
    (await live().post(`/v1/domains/${id}/verify`)).refused('not_found');
    expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toEqual([]);
    expect((await history(id)).at(-1)).toBe(`domain.deleted: ${status} -> deleted`);
  });

  test('3: of concurrent deletions, one is 204 and emits the event, and the others are 404', async () => {
    const id = await domainIn('active');
    const answers = await Promise.all(Array.from({ length: 20 }, () => live().delete(`/v1/domains/${id}`)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 404]));
    expect((await history(id)).filter((line) => line.startsWith('domain.deleted'))).toHaveLength(1);
  });

  test('3: adding and deleting a hostname concurrently leaves at most one domain', async () => {
    const rounds = Array.from({ length: 20 }, async () => {
      const answer = await live().post('/v1/domains', { hostname: 'careers.acme.com' });
      const { id } = answer.as(answer.status === 201 ? 201 : 200, CHANGED_DOMAIN);
      expect([204, 404]).toContain((await live().delete(`/v1/domains/${id}`)).status);
      return id;
    });
    const ids = new Set(await Promise.all(rounds));
    expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toEqual([]);
    for (const id of ids) {
      expect(await history(id)).toEqual([
        'domain.created: null -> pending_dns',
        'domain.deleted: pending_dns -> deleted',
      ]);
    }
  });

  test('3: a deleted hostname can be added again at once, as a new domain', async () => {
    const before = await addDomain(live(), 'careers.acme.com', { metadata: { a: 'b' } });
    (await live().delete(`/v1/domains/${before.id}`)).empty();
    const after = await addDomain(live(), 'careers.acme.com');
    expect(after.id).not.toBe(before.id);
    expect(after.connect_url).not.toBe(before.connect_url);
    expect(after.metadata).toBeNull();
    expect((await live().get('/v1/domains?metadata.a=b')).as(200, DOMAINS).data).toEqual([]);
    await driver().advance('4d');
    expect(await history(before.id)).toHaveLength(2);
    const { data } = (await live().get('/v1/events?type=domain.created')).as(200, EVENTS);
    expect(data.map(({ domain_id }) => domain_id).sort()).toEqual([before.id, after.id].sort());
  });

  test('3: a domain whose record does not appear within 72 hours expires, without an event', async () => {
    const { id } = await addDomain(testMode(), 'dns-record-missing.acme.com');
    await driver().advance('71h59m59s999ms');
    expect((await getDomain(testMode(), id)).status).toBe('pending_dns');
    await driver().advance('1ms');
    const { status, status_reason, status_detail, next_check_at } = await getDomain(testMode(), id);
    expect({ status, next_check_at }).toEqual({ status: 'expired', next_check_at: null });
    expect(status_reason).toMatch(/^[a-z_]+$/);
    expect(status_detail?.hint).not.toBe('');
    expect(await eventsOf(testMode(), id)).toHaveLength(1);
  });

  test('3: posting an expired domain again makes it pending_dns under the same id and connect_url, for another 72 hours', async () => {
    const hostname = 'dns-record-missing.acme.com';
    const { id, connect_url } = await addDomain(testMode(), hostname, { metadata: { a: 1 } });
    await driver().advance('80h');
    const revived = (await testMode().post('/v1/domains', { hostname })).as(200, CHANGED_DOMAIN);
    expect(revived).toMatchObject({ id, connect_url, status: 'pending_dns', metadata: { a: 1 } });
    expect(revived).not.toHaveProperty('warnings');
    expect(Date.parse(revived.next_check_at ?? '')).toBe((await driver().now()) + 10_000);
    await driver().advance('71h59m59s');
    expect((await getDomain(testMode(), id)).status).toBe('pending_dns');
    await driver().advance('1s');
    expect((await getDomain(testMode(), id)).status).toBe('expired');
    expect(await eventsOf(testMode(), id)).toHaveLength(1);
  });
};

/** The triggers that bring a new domain to each status. */
const WAY_TO: Readonly<Record<string, readonly string[]>> = {
  pending_dns: [],
  verifying: ['dns_seen'],
  issuing: ['dns_confirmed'],
  active: ['dns_confirmed', 'certificate_issued'],
  dns_broken: ['dns_confirmed', 'certificate_issued', 'dns_gone'],
  cert_failed: ['dns_confirmed', 'issuance_failed'],
  expired: ['window_passed'],
  held: ['hold'],
};
