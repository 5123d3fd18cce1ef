import { expect, test } from 'vitest';
import { addDomain, client, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import { DIAGNOSIS } from '../resources.ts';

/** Tests GET /v1/domains/{id}/diagnosis, an addition to the contract. For a domain on the test timer, the service makes no DNS lookup. */
export const diagnosis: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const ask = (id: string, api = testMode()) => api.get(`/v1/domains/${id}/diagnosis`);

  async function added(hostname: string, triggers: readonly string[] = []) {
    const { id } = await addDomain(testMode(), hostname);
    for (const trigger of triggers) await driver().trigger(id, trigger);
    return id;
  }

  test('a test domain is diagnosed from its reason, without lookups', async () => {
    const id = await added('dns-proxied.acme.com');
    await driver().advance('10s');
    const { status_reason, status_detail } = await getDomain(testMode(), id);
    const told = (await ask(id)).as(200, DIAGNOSIS);
    expect(told).toMatchObject({ hostname: 'dns-proxied.acme.com', healthy: false, lookups: [] });
    expect(told.findings).toEqual([
      {
        code: status_reason,
        severity: 'error',
        record: null,
        ...status_detail,
        retryable: false,
        changes: [expect.objectContaining({ action: 'remove' }), expect.objectContaining({ type: 'CNAME' })],
        docs: expect.stringMatching(/\/reasons\/dns_proxied$/),
      },
    ]);
  });

  const HEALTH: [string, string, readonly string[], boolean | null][] = [
    ['pending_dns', 'careers.acme.com', [], null],
    ['active', 'careers.acme.com', ['dns_confirmed', 'certificate_issued'], true],
    ['held', 'careers.acme.com', ['hold'], false],
    ['expired', 'careers.acme.com', ['window_passed'], false],
    ['cert_failed', 'ca-rejected.acme.com', ['dns_confirmed', 'issuance_failed'], false],
  ];

  test.each(HEALTH)('reports the health of a domain in %s', async (status, hostname, triggers, healthy) => {
    const id = await added(hostname, triggers);
    expect((await getDomain(testMode(), id)).status).toBe(status);
    expect((await ask(id)).as(200, DIAGNOSIS).healthy).toBe(healthy);
  });

  test.each(['dns-propagating', 'dns-ns-mismatch'])('%s.acme.com has nothing to correct', async (label) => {
    const id = await added(`${label}.acme.com`);
    await driver().advance('10s');
    expect((await ask(id)).as(200, DIAGNOSIS).healthy).toBeNull();
  });

  test('one diagnosis in 15 seconds per domain, else 429 with Retry-After', async () => {
    const id = await added('careers.acme.com');
    const other = await added('jobs.acme.com');
    expect((await ask(id)).status).toBe(200);
    const limited = await ask(id);
    limited.refused('rate_limited');
    expect(limited.headers.get('retry-after')).toBe('15');
    expect((await ask(other)).status).toBe(200);
    await driver().advance('15s');
    expect((await ask(id)).status).toBe(200);
  });

  test('diagnoses and checks have separate limits', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    expect((await live().post(`/v1/domains/${id}/verify`)).status).toBe(202);
    expect((await ask(id, live())).status).toBe(200);
  });

  test('changes nothing', async () => {
    const id = await added('dns-proxied.acme.com');
    await driver().advance('10s');
    const before = await getDomain(testMode(), id);
    await ask(id);
    expect(await getDomain(testMode(), id)).toEqual(before);
  });

  test('is 404 for a domain of the other mode, a deleted domain, or an unknown id', async () => {
    const id = await added('careers.acme.com');
    (await ask(id, live())).refused('not_found');
    (await testMode().delete(`/v1/domains/${id}`)).empty();
    (await ask(id)).refused('not_found');
    (await ask('dom_nobody')).refused('not_found');
  });
};
