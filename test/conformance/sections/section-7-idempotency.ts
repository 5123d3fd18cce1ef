import { describe, expect, test } from 'vitest';
import { type Answer, addDomain, client, eventsOf, getEvent } from '../client.ts';
import type { Suite } from '../driver.ts';
import { type ReceiverAnswer, startReceiver } from '../receiver.ts';
import { API_KEYS, CREATED_API_KEY, DOMAINS, EVENTS, ROTATED } from '../resources.ts';

/** Tests the Idempotency-Key of POST requests (`docs/api.md#errors`, `docs/idempotency-and-rates.md`). */
export const idempotency: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const post = (path: string, body: unknown, key = 'k1') =>
    live().post(path, body, { 'idempotency-key': key });
  const addWith = (key: string, hostname = 'careers.acme.com') => post('/v1/domains', { hostname }, key);

  function expectReplay(replay: Answer, first: Answer): void {
    expect({ status: replay.status, text: replay.text }).toEqual({ status: first.status, text: first.text });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  }

  test('7: a retry gets the same status and bytes, even if the domain has changed since', async () => {
    const first = await addWith('k1');
    const { id } = JSON.parse(first.text) as { id: string };
    await live().patch(`/v1/domains/${id}`, { metadata: { a: 1 } });
    expectReplay(await addWith('k1'), first);
    await live().delete(`/v1/domains/${id}`);
    expectReplay(await addWith('k1'), first);
    expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toEqual([]);
  });

  test('7: a response of 200 is replayed as 200', async () => {
    await addDomain(live(), 'careers.acme.com');
    const first = await addWith('k1');
    expect(first.status).toBe(200);
    expectReplay(await addWith('k1'), first);
  });

  test('7: 50 concurrent requests with one key have one effect', async () => {
    const body = { name: 'Once', mode: 'live' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/v1/keys', body)));
    const done = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status !== 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const answer of waiting) {
      answer.refused('idempotency_key_in_use');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-5]$/);
    }
    expect(done.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    const { data } = (await live().get('/v1/keys')).as(200, API_KEYS);
    expect(data.filter(({ name }) => name === 'Once')).toHaveLength(1);
  });

  test('7: while the first request is in flight, a retry is 409 with Retry-After; then it is replayed', async () => {
    const { promise, resolve } = Promise.withResolvers<ReceiverAnswer>();
    const arrived = Promise.withResolvers<void>();
    await using receiver = await startReceiver();
    await live().patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().advance('0s');
    const [event] = await eventsOf(live(), id);
    receiver.answer = () => {
      arrived.resolve();
      return promise;
    };
    const path = `/v1/events/${event?.id}/redeliver`;
    const first = post(path, undefined);
    await arrived.promise;
    const retry = await post(path, undefined);
    retry.refused('idempotency_key_in_use');
    expect(retry.headers.get('retry-after')).toMatch(/^[1-5]$/);
    (await post(path, {})).refused('idempotency_key_reused');
    resolve(200);
    const answer = await first;
    expectReplay(await post(path, undefined), answer);
    expect((await getEvent(live(), event?.id ?? '')).deliveries).toHaveLength(2);
  });

  describe('the same key with a different request is idempotency_key_reused', () => {
    const DIFFERENT: [string, string, unknown][] = [
      ['another hostname', '/v1/domains', { hostname: 'other.acme.com' }],
      ['another spelling of the same JSON', '/v1/domains', { metadata: null, hostname: 'careers.acme.com' }],
      ['another path', '/v1/keys', { name: 'CI', mode: 'test' }],
      ['another query', '/v1/domains?a=b', { hostname: 'careers.acme.com' }],
      ['no valid fields', '/v1/domains', { hostname: 7 }],
    ];

    test.each(DIFFERENT)('7: %s', async (_, path, body) => {
      await addWith('k1');
      (await post(path, body)).refused('idempotency_key_reused');
      // The refusal has not replaced the stored response of the first request.
      expect((await addWith('k1')).status).toBe(201);
    });
  });

  test('7: a key belongs to its app and mode', async () => {
    const other = await driver().createApp({ name: 'Other' });
    const body = { hostname: 'careers.acme.com' };
    const statuses = [(await addWith('k1')).status];
    for (const api of [client(driver(), other.live_key), client(driver(), other.test_key)]) {
      const hostname = api === undefined ? '' : `d${statuses.length}.acme.com`;
      statuses.push(
        (await api.post('/v1/domains', { ...body, hostname }, { 'idempotency-key': 'k1' })).status,
      );
    }
    const testBody = { hostname: 'test.acme.com' };
    statuses.push((await testMode().post('/v1/domains', testBody, { 'idempotency-key': 'k1' })).status);
    expect(statuses).toEqual([201, 201, 201, 201]);
  });

  test('7: another API key of the same app and mode gets the replay', async () => {
    const { key } = (await live().post('/v1/keys', { name: 'CI', mode: 'live' })).as(201, CREATED_API_KEY);
    const first = await addWith('k1');
    const body = { hostname: 'careers.acme.com' };
    expectReplay(await client(driver(), key).post('/v1/domains', body, { 'idempotency-key': 'k1' }), first);
  });

  test('7: one-time secrets are replayed too: a key, a signing secret', async () => {
    const made = await post('/v1/keys', { name: 'CI', mode: 'live' });
    const { key } = made.as(201, CREATED_API_KEY);
    expectReplay(await post('/v1/keys', { name: 'CI', mode: 'live' }), made);
    expect((await client(driver(), key).get('/v1/apps/current')).status).toBe(200);
    const path = '/v1/apps/current/signing-secret/rotate';
    const rotated = await post(path, undefined, 'k2');
    rotated.as(200, ROTATED);
    expectReplay(await post(path, undefined, 'k2'), rotated);
  });

  test('7: verify and redeliver are replayed without a second effect', async () => {
    await using receiver = await startReceiver();
    await live().patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(live(), 'dns-record-missing.acme.com');
    await driver().advance('0s');
    const verified = await post(`/v1/domains/${id}/verify`, undefined);
    expect(verified.status).toBe(202);
    expectReplay(await post(`/v1/domains/${id}/verify`, undefined), verified);
    const [event] = await eventsOf(live(), id);
    const redelivered = await post(`/v1/events/${event?.id}/redeliver`, undefined, 'k2');
    expectReplay(await post(`/v1/events/${event?.id}/redeliver`, undefined, 'k2'), redelivered);
    expect(receiver.requests).toHaveLength(2);
  });

  describe('final responses are stored', () => {
    test('7: 404', async () => {
      const path = '/v1/domains/dom_1/verify';
      const first = await post(path, undefined);
      first.refused('not_found');
      expectReplay(await post(path, undefined), first);
    });

    test('7: 402, even if a card was added since', async () => {
      await driver().setAccount({ plan: 'free', card_on_file: false, promotional: false });
      const first = await post('/v1/keys', { name: 'CI', mode: 'live' });
      first.refused('live_keys_need_plan');
      await driver().setAccount({ card_on_file: true });
      expectReplay(await post('/v1/keys', { name: 'CI', mode: 'live' }), first);
      expect((await post('/v1/keys', { name: 'CI', mode: 'live' }, 'k2')).status).toBe(201);
    });

    test('7: 422 other than validation_failed', async () => {
      await driver().hold('careers.acme.com');
      const first = await addWith('k1');
      first.refused('hostname_held');
      await driver().release('careers.acme.com');
      expectReplay(await addWith('k1'), first);
      expect((await addWith('k2')).status).toBe(201);
    });
  });

  describe('responses without a decision are not stored, and the key can be used again', () => {
    test('7: validation_failed', async () => {
      (await addWith('k1', 'x'.repeat(1025))).refused('validation_failed');
      expect((await addWith('k1')).status).toBe(201);
    });

    test('7: 400', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' };
      (await live().send('POST', '/v1/domains', { body: '{', headers })).refused('invalid_request');
      expect((await addWith('k1')).status).toBe(201);
    });

    test('7: 401 and 403', async () => {
      const headers = { 'idempotency-key': 'k1' };
      const stranger = client(driver(), null);
      (await stranger.post('/v1/domains', { hostname: 'careers.acme.com' }, headers)).refused('unauthorized');
      const liveKey = { name: 'CI', mode: 'live' };
      (await testMode().post('/v1/keys', liveKey, headers)).refused('forbidden');
      const testKey = { name: 'CI', mode: 'test' };
      expect((await testMode().post('/v1/keys', testKey, headers)).status).toBe(201);
      expect((await addWith('k1')).status).toBe(201);
    });

    test('7: 413 and 429', async () => {
      (await post('/v1/domains', { hostname: 'careers.acme.com', big: 'x'.repeat(102_400) })).refused(
        'payload_too_large',
      );
      expect((await addWith('k1', 'dns-record-missing.acme.com')).status).toBe(201);
      const { data } = (await live().get('/v1/domains')).as(200, DOMAINS);
      const path = `/v1/domains/${data[0]?.id}/verify`;
      await live().post(path);
      (await post(path, undefined, 'k2')).refused('rate_limited');
      await driver().advance('15s');
      expect((await post(path, undefined, 'k2')).status).toBe(202);
    });
  });

  test('7: a key is kept for 24 hours', async () => {
    const first = await addWith('k1');
    await driver().advance('23h59m59s');
    expectReplay(await addWith('k1'), first);
    await driver().advance('2s');
    const later = await addWith('k1', 'other.acme.com');
    expect({ status: later.status, replayed: later.headers.get('idempotency-replayed') }).toEqual({
      status: 201,
      replayed: null,
    });
  });

  test.each(['x', 'x'.repeat(255), 'with space and ~!"#'])('7: accepts the key %j', async (key) => {
    const first = await addWith(key);
    expectReplay(await addWith(key), first);
  });

  test.each(['', 'x'.repeat(256), 'ü', 'a\tb'])('7: refuses the key %j', async (key) => {
    expect((await addWith(key)).faults()).toEqual(['Idempotency-Key']);
    expect((await live().get('/v1/events')).as(200, EVENTS).data).toEqual([]);
  });

  test('7: only POST requests use the header', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k1' };
    for (const metadata of [{ a: 1 }, { a: 2 }]) {
      const body = JSON.stringify({ metadata });
      const { text } = await live().send('PATCH', `/v1/domains/${id}`, { body, headers });
      expect(JSON.parse(text)).toMatchObject({ metadata });
    }
  });
};
