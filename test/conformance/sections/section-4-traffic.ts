import { expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { DOMAIN_TRAFFIC, TRAFFIC } from '../resources.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Tests GET /v1/domains/{id}/traffic and GET /v1/traffic, additions to the contract. `test/edge/traffic.test.ts` tests the counting itself.
 */
export const traffic: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const dated = (ms: number) => new Date(ms).toISOString();

  test('a domain without visitors has 24 hours of zeros, the last of which is the current one', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    const body = (await testMode().get(`/v1/domains/${id}/traffic`)).as(200, DOMAIN_TRAFFIC);
    expect(body).toMatchObject({ domain_id: id, hostname: 'careers.acme.com', interval: 'hour' });
    expect(body.buckets).toHaveLength(24);
    expect(body.buckets[0]?.start).toBe(body.since);
    expect(Date.parse(body.until) - Date.parse(body.since)).toBe(24 * HOUR_MS);
    expect(body.totals).toMatchObject({ requests: 0, latency_p50_ms: null });
    expect(body.totals.latency_counts).toHaveLength(body.latency_bounds_ms.length + 1);
  });

  test('an app has the same for all its domains, and no top domains without visitors', async () => {
    const body = (await testMode().get('/v1/traffic?interval=day&limit=5')).as(200, TRAFFIC);
    expect(body.buckets).toHaveLength(30);
    expect(Date.parse(body.since) % DAY_MS).toBe(0);
    expect(body.top_domains).toEqual([]);
  });

  test('a range is widened to whole hours and days', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    const { until } = (await testMode().get(`/v1/domains/${id}/traffic`)).as(200, DOMAIN_TRAFFIC);
    const end = Date.parse(until) - HOUR_MS;
    const asked = `since=${dated(end - 3 * HOUR_MS + 5)}&until=${dated(end - HOUR_MS + 5)}`;
    const body = (await testMode().get(`/v1/domains/${id}/traffic?${asked}`)).as(200, DOMAIN_TRAFFIC);
    expect([body.since, body.until]).toEqual([dated(end - 3 * HOUR_MS), dated(end)]);
    expect(body.buckets).toHaveLength(3);
  });

  test.each([
    ['since=yesterday', 'since'],
    ['until=2026-13-01', 'until'],
    ['since=2999-01-01', 'since'],
    ['since=1999-01-01', 'since'],
    ['until=1999-01-01', 'until'],
    ['since=1999-01-01&interval=day', 'since'],
    ['interval=week', 'interval'],
    ['limit=0', 'limit'],
  ])('refuses %s', async (query, field) => {
    expect((await testMode().get(`/v1/traffic?${query}`)).faults()).toEqual([field]);
  });

  test('refuses a range that ends before it starts', async () => {
    const { until } = (await testMode().get('/v1/traffic')).as(200, TRAFFIC);
    const end = Date.parse(until) - HOUR_MS;
    const query = `since=${dated(end)}&until=${dated(end - 1)}`;
    expect((await testMode().get(`/v1/traffic?${query}`)).faults()).toEqual(['since']);
  });

  test('the traffic of a deleted domain, of another mode or of nothing is not found', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    (await live().get(`/v1/domains/${id}/traffic`)).refused('not_found');
    (await testMode().delete(`/v1/domains/${id}`)).empty();
    (await testMode().get(`/v1/domains/${id}/traffic`)).refused('not_found');
    (await testMode().get('/v1/domains/dom_nothing/traffic')).refused('not_found');
  });
};
