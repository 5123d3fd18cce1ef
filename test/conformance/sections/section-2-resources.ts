import { describe, expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain, getEvent } from '../client.ts';
import type { Suite } from '../driver.ts';
import { startReceiver } from '../receiver.ts';
import { API_KEYS, APP, CREATED_API_KEY, DELIVERY, DOMAINS, EVENTS } from '../resources.ts';

/** Tests that every response contains resources with all fields (`docs/api.md#app`). The client checks their shapes. */
export const resources: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  test('2.1: a new app has the default values', async () => {
    const app = (await live().get('/v1/apps/current')).as(200, APP);
    expect(app).toMatchObject({
      origin_url: null,
      origin_reachable: false,
      origin_latency_ms: null,
      origin_checked_at: null,
      origin_status_reason: null,
      origin_unreachable: false,
      webhook_url: null,
      whitelabel_host: null,
      whitelabel_verified: false,
      whitelabel_status_reason: null,
      whitelabel_found: null,
      whitelabel_checked_at: null,
      whitelabel_grace_ends_at: null,
      brand_color: null,
      brand_logo: null,
      support_url: null,
      return_url: null,
      apex_redirect_default: 'none',
      allow_proxied: true,
    });
    expect((await testMode().get('/v1/apps/current')).as(200, APP)).toEqual(app);
  });

  describe('2.2: a domain', () => {
    test('below an apex has one CNAME record to add, named relative to the registrable domain', async () => {
      const { whitelabel_target } = (await live().get('/v1/apps/current')).as(200, APP);
      const names = {
        'careers.acme.com': 'careers',
        'jobs.eu.acme.co.uk': 'jobs.eu',
        'www.acme.com': 'www',
        'a.customer.github.io': 'a',
      };
      for (const [hostname, name] of Object.entries(names)) {
        const domain = await addDomain(live(), hostname);
        expect(domain.is_apex).toBe(false);
        expect(domain.dns).toMatchObject({ cname: { name, value: whitelabel_target }, apex: null });
      }
    });

    test('at an apex has A and AAAA records, and a TXT record on the _service label', async () => {
      const domains = [
        await addDomain(live(), 'acme.com'),
        await addDomain(testMode(), 'customer.github.io'),
      ];
      for (const { is_apex, dns } of domains) {
        expect(is_apex).toBe(true);
        expect(dns.cname).toBeNull();
        expect(dns.apex?.a.length).toBeGreaterThan(0);
        expect(dns.apex?.aaaa.length).toBeGreaterThan(0);
        expect(dns.apex?.txt.name).toBe('_service');
      }
      expect(new Set(domains.map(({ dns }) => dns.apex?.txt.value)).size).toBe(2);
    });

    test('that is new awaits DNS and has no other data yet', async () => {
      const createdAt = new Date(await driver().now()).toISOString();
      expect(await addDomain(live(), 'careers.acme.com')).toMatchObject({
        status: 'pending_dns',
        status_reason: null,
        status_detail: null,
        origin: null,
        apex_redirect: 'none',
        certificate: null,
        metadata: null,
        origin_headers: null,
        created_at: createdAt,
        updated_at: createdAt,
        last_checked_at: null,
      });
    });

    test('is the same from create, get, list and update, without warnings if nothing was ignored', async () => {
      const fields = { metadata: { plan: 'pro' }, origin_headers: { 'X-Team': 'a' }, apex_redirect: 'www' };
      const created = await addDomain(live(), 'acme.com', fields);
      expect(created).toMatchObject(fields);
      expect(created).not.toHaveProperty('warnings');
      expect(await getDomain(live(), created.id)).toEqual(created);
      expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toEqual([created]);
      const updated: unknown = JSON.parse((await live().patch(`/v1/domains/${created.id}`, {})).text);
      expect(updated).toEqual(created);
    });

    test('shows when it was last checked, and when it is checked next', async () => {
      const { id, next_check_at } = await addDomain(testMode(), 'dns-record-missing.acme.com');
      expect(Date.parse(next_check_at ?? '')).toBe((await driver().now()) + 10_000);
      await driver().advance('10s');
      const { last_checked_at } = await getDomain(testMode(), id);
      expect(last_checked_at).toBe(next_check_at);
    });

    test('renews its certificate from day 60 of 90', async () => {
      const { id } = await addDomain(testMode(), 'careers.acme.com');
      await driver().advance('10s');
      const { certificate } = await getDomain(testMode(), id);
      const [before, renews, after] = [
        certificate?.not_before,
        certificate?.renews_at,
        certificate?.not_after,
      ].map((text) => Date.parse(text ?? ''));
      expect(Number(after) - Number(before)).toBe(90 * DAY_MS);
      expect(Number(renews) - Number(before)).toBe(60 * DAY_MS);
    });
  });

  test('2.3: an API key is shown only once, when it is created', async () => {
    const created = (await live().post('/v1/keys', { name: 'CI', mode: 'live' })).as(201, CREATED_API_KEY);
    const { key, ...listed } = created;
    expect(key).toMatch(/^sk_live_[0-9A-Za-z]{32}$/);
    expect(created).toMatchObject({ prefix: key.slice(0, 12), last4: key.slice(-4), last_used_at: null });
    const list = await live().get('/v1/keys');
    expect(list.as(200, API_KEYS).data).toContainEqual(listed);
    expect(list.text).not.toContain(key);
  });

  test('2.3: last_used_at is updated at most once a minute', async () => {
    const { id, key } = (await live().post('/v1/keys', { name: 'CI', mode: 'test' })).as(
      201,
      CREATED_API_KEY,
    );
    const used = client(driver(), key);
    const lastUsed = async () => {
      await used.get('/v1/apps/current');
      const { data } = (await live().get('/v1/keys')).as(200, API_KEYS);
      return Date.parse(data.find((each) => each.id === id)?.last_used_at ?? '');
    };
    const first = await driver().now();
    // Polls, because the response does not wait until the use of the key is recorded.
    await expect.poll(lastUsed).toBe(first);
    await driver().advance('59s');
    expect(await lastUsed()).toBe(first);
    await driver().advance('1s');
    await expect.poll(lastUsed).toBe(first + 60_000);
  });

  test('2.4: an event without a webhook URL has no delivery', async () => {
    const { id, hostname } = await addDomain(live(), 'careers.acme.com');
    const [event] = await eventsOf(live(), id);
    expect(event).toMatchObject({
      type: 'domain.created',
      domain_id: id,
      hostname,
      previous_status: null,
      status: 'pending_dns',
      delivery: {
        status: 'none',
        attempts: 0,
        last_status_code: null,
        last_error: null,
        last_attempt_at: null,
        next_attempt_at: null,
      },
    });
    expect(await getEvent(live(), event?.id ?? '')).toEqual({
      ...event,
      deliveries: [],
      body: expect.stringContaining(event?.id ?? 'no event'),
    });
  });

  test('2.4 and 2.5: an event and its deliveries, newest first', async () => {
    await using receiver = await startReceiver(() => 503);
    await live().patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().advance('1ms');
    receiver.answer = () => 204;
    const [event] = await eventsOf(live(), id);
    const redelivered = (await live().post(`/v1/events/${event?.id}/redeliver`)).as(201, DELIVERY);
    const { deliveries, delivery } = await getEvent(live(), event?.id ?? '');
    expect(deliveries[0]).toEqual(redelivered);
    expect(deliveries.map(({ attempt, status_code, error }) => ({ attempt, status_code, error }))).toEqual([
      { attempt: 2, status_code: 204, error: null },
      { attempt: 1, status_code: 503, error: null },
    ]);
    expect(deliveries.map(({ delivered_at }) => delivered_at !== null)).toEqual([true, false]);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_status_code: 204,
      next_attempt_at: null,
    });
    expect(
      Date.parse(deliveries[1]?.next_attempt_at ?? '') - Date.parse(deliveries[1]?.created_at ?? ''),
    ).toBe(60_000);
    const { data } = (await live().get('/v1/events')).as(200, EVENTS);
    expect(data[0]?.delivery).toEqual(delivery);
  });
};

const DAY_MS = 86_400_000;
