import { expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain, within5s } from '../client.ts';
import type { Suite } from '../driver.ts';
import { startReceiver } from '../receiver.ts';
import { APP, DOMAINS, ENDPOINTS, EVENTS } from '../resources.ts';

/** Tests authentication with API keys, and which resources a key can access (`docs/api.md#authentication`). */
export const authentication: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  test.each(ENDPOINTS)('5: %s %s needs a key', async (method, path) => {
    (await client(driver(), null).send(method, path)).refused('unauthorized');
    (await client(driver(), `sk_live_${'0'.repeat(32)}`).send(method, path)).refused('unauthorized');
  });

  test('5: a key is accepted only as a complete bearer token', async () => {
    const { live_key } = driver();
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      live_key,
      `Basic ${Buffer.from(`${live_key}:`).toString('base64')}`,
      `Token ${live_key}`,
      `Bearer ${live_key.slice(0, -1)}`,
      `Bearer ${live_key}0`,
      `Bearer ${live_key.toUpperCase()}`,
      `Bearer ${live_key.replace('live', 'test')}`,
      `Bearer ${live_key} ${live_key}`,
      `Bearer ${live_key}, Bearer ${live_key}`,
      `Bearer "${live_key}"`,
      `Bearer ${'x'.repeat(5000)}`,
      "Bearer ' or 1=1 --",
      `Bearer whsec_${'0'.repeat(32)}`,
    ];
    for (const authorization of wrong) {
      const answer = await client(driver(), null).send('GET', '/v1/apps/current', {
        headers: { authorization },
      });
      answer.refused('unauthorized');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    const query = `/v1/apps/current?api_key=${live_key}`;
    (await client(driver(), null).get(query)).refused('unauthorized');
    const lower = { authorization: `bearer ${live_key}` };
    expect((await client(driver(), null).send('GET', '/v1/apps/current', { headers: lower })).status).toBe(
      200,
    );
  });

  test('5: the key identifies the app', async () => {
    const other = await driver().createApp({ name: 'Other' });
    const app = (await client(driver(), other.test_key).get('/v1/apps/current')).as(200, APP);
    expect(app).toMatchObject({ id: other.app_id, name: 'Other' });
    expect((await live().get('/v1/apps/current')).as(200, APP).id).not.toBe(other.app_id);
  });

  test('5: resources of another app or of the other mode are 404 on every endpoint, and not in lists', async () => {
    await using receiver = await startReceiver();
    const other = await driver().createApp({ name: 'Other' });
    await live().patch('/v1/apps/current', { webhook_url: receiver.url });
    const domain = await addDomain(live(), 'live.acme.com', { metadata: { a: 'b' } });
    const [event] = await eventsOf(live(), domain.id);
    const keys = JSON.parse((await live().get('/v1/keys')).text) as { data: { id: string }[] };
    const strangers = [driver().test_key, other.live_key, other.test_key].map((key) => client(driver(), key));
    for (const stranger of strangers) {
      await stranger.patch('/v1/apps/current', { webhook_url: receiver.url });
      for (const [method, path, body] of [
        ['GET', `/v1/domains/${domain.id}`],
        ['PATCH', `/v1/domains/${domain.id}`, { metadata: null }],
        ['DELETE', `/v1/domains/${domain.id}`],
        ['POST', `/v1/domains/${domain.id}/verify`],
        ['GET', `/v1/events/${event?.id}`],
        ['POST', `/v1/events/${event?.id}/redeliver`],
      ] as const) {
        const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        (await stranger.send(method, path, body && json)).refused('not_found');
      }
      const lists = [
        (await stranger.get(`/v1/events?domain_id=${domain.id}`)).as(200, EVENTS).data,
        (await stranger.get('/v1/domains?metadata.a=b')).as(200, DOMAINS).data,
      ];
      expect(lists).toEqual([[], []]);
    }
    for (const key of keys.data) {
      (await client(driver(), other.live_key).delete(`/v1/keys/${key.id}`)).refused('not_found');
    }
    expect(await getDomain(live(), domain.id)).toMatchObject({ metadata: { a: 'b' }, status: 'pending_dns' });
    await driver().advance('0s');
    expect(receiver.requests).toHaveLength(1);
  });

  test('5: a test domain is 404 to a live key', async () => {
    const { id } = await addDomain(testMode(), 'test.acme.com');
    (await live().get(`/v1/domains/${id}`)).refused('not_found');
    (await live().delete(`/v1/domains/${id}`)).refused('not_found');
    (await live().post(`/v1/domains/${id}/verify`)).refused('not_found');
    expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toEqual([]);
    expect((await live().get(`/v1/events?domain_id=${id}`)).as(200, EVENTS).data).toEqual([]);
  });

  test('5: a test key may not rotate the signing secret, with or without live domains', async () => {
    (await testMode().post('/v1/apps/current/signing-secret/rotate')).refused('forbidden');
    await addDomain(live(), 'live.acme.com');
    (await testMode().post('/v1/apps/current/signing-secret/rotate', 'x')).refused('forbidden');
  });

  test('5: a suspended account can read, and gets account_suspended for changes', async () => {
    await driver().setAccount({ suspended: true });
    await within5s(async () => {
      (await live().post('/v1/domains', { hostname: 'careers.acme.com' })).refused('account_suspended');
    });
    for (const api of [live(), testMode()]) {
      for (const [method, path] of ENDPOINTS) {
        const answer = await api.send(method, path);
        if (method === 'GET') expect([200, 404]).toContain(answer.status);
        else answer.refused('account_suspended');
      }
    }
    (await client(driver(), null).post('/v1/domains', {})).refused('unauthorized');
    await driver().setAccount({ suspended: false });
    await within5s(async () => {
      expect((await live().post('/v1/domains', { hostname: 'careers.acme.com' })).status).toBeLessThan(300);
    });
  });

  test('5: checks, issuance and deliveries continue while the account is suspended', async () => {
    await using receiver = await startReceiver();
    await live().patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    await driver().setAccount({ suspended: true });
    await driver().advance('10s');
    expect((await getDomain(testMode(), id)).status).toBe('active');
    expect(receiver.requests).toHaveLength(3);
  });
};
