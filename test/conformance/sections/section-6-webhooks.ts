import { expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain, getEvent } from '../client.ts';
import type { Suite } from '../driver.ts';
import { closedPort, expectedSignature, signatureOf, startReceiver, webhookBody } from '../receiver.ts';
import { ROTATED } from '../resources.ts';

/** Tests the request that a receiver gets, its signature, and the secrets that sign it (`docs/api.md#webhooks`). */
export const webhooks: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const setWebhook = (webhookUrl: string | null) =>
    live().patch('/v1/apps/current', { webhook_url: webhookUrl });
  const rotate = async () => (await live().post('/v1/apps/current/signing-secret/rotate')).as(200, ROTATED);

  test('6: one POST for each change of state, with the headers of the contract', async () => {
    await using receiver = await startReceiver();
    await setWebhook(`${receiver.url}/hooks?a=b`);
    const { id } = await addDomain(testMode(), 'careers.acme.com', { metadata: { team: 'red' } });
    await driver().advance('1h');
    const events = await eventsOf(testMode(), id);
    expect(events.map(({ type }) => type)).toEqual(['domain.created', 'domain.verified', 'domain.active']);
    expect(receiver.requests).toHaveLength(3);
    for (const [index, request] of receiver.requests.entries()) {
      const event = events[index];
      const { method, path, headers } = request;
      expect({ method, path }).toEqual({ method: 'POST', path: '/hooks?a=b' });
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toBe('Service-Webhooks/1');
      expect(headers['service-event-id']).toBe(event?.id);
      const { deliveries } = await getEvent(testMode(), event?.id ?? '');
      expect(deliveries.map((delivery) => delivery.id)).toEqual([headers['service-delivery-id']]);
      const body = webhookBody(request);
      expect(body).toMatchObject({
        id: event?.id,
        type: event?.type,
        created_at: event?.created_at,
        data: {
          previous_status: event?.previous_status,
          domain: { id, status: event?.status, metadata: { team: 'red' } },
        },
      });
    }
  });

  test('9: the detail of an event has the body as sent, byte for byte, before and after it is sent', async () => {
    await setWebhook(null);
    const { id } = await addDomain(testMode(), 'jobs.acme.com', { metadata: { team: 'Zürich \u2028 "x"' } });
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const [created] = await eventsOf(testMode(), id);
    const unsent = await getEvent(testMode(), created?.id ?? '');
    await driver().advance('1h');
    expect(receiver.requests.length).toBeGreaterThan(0);
    for (const request of receiver.requests) {
      const { body, deliveries } = await getEvent(testMode(), webhookBody(request).id);
      expect(body).toBe(request.raw);
      expect(deliveries).toHaveLength(1);
    }
    expect(JSON.parse(unsent.body ?? '')).toMatchObject({ id: created?.id, type: 'domain.created' });
    expect(unsent.deliveries).toEqual([]);
  });

  test('6: changes at the same instant are all sent at that instant', async () => {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    for (const trigger of ['dns_confirmed', 'certificate_issued', 'dns_gone'])
      await driver().trigger(id, trigger);
    await driver().advance('0s');
    expect(receiver.requests.map((request) => webhookBody(request).type)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.active',
      'domain.dns_broken',
    ]);
  });

  test('6: data.domain is the response of GET', async () => {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const fields = { metadata: { 'ü😀': [1, null] }, origin_headers: { 'X-A': 'b' }, apex_redirect: 'www' };
    const { id } = await addDomain(live(), 'acme.com', fields);
    await driver().advance('0s');
    expect(receiver.requests.map((request) => webhookBody(request).data.domain)).toEqual([
      await getDomain(live(), id),
    ]);
  });

  test('6: domain.deleted shows the domain as deleted', async () => {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const { id } = await addDomain(live(), 'careers.acme.com');
    await live().delete(`/v1/domains/${id}`);
    await driver().advance('1s');
    const [, deleted] = receiver.requests.map(webhookBody);
    expect(deleted).toMatchObject({
      type: 'domain.deleted',
      data: { previous_status: 'pending_dns', domain: { id, status: 'deleted' } },
    });
  });

  test('6: the signature is HMAC-SHA256 of `<t>.<raw body>` with the signing secret, at the time of sending', async () => {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    await addDomain(live(), 'careers.acme.com', { metadata: { text: 'ü 漢 😀 </script>' } });
    await driver().advance('0s');
    const [request] = receiver.requests;
    expect(request).toBeDefined();
    if (request === undefined) return;
    expect(signatureOf(request).v1).toEqual([expectedSignature(request, driver().webhook_secret)]);
    expect(Math.abs(signatureOf(request).t - Date.now() / 1000)).toBeLessThan(300);
  });

  test('6: two apps are signed with different secrets', async () => {
    await using receiver = await startReceiver();
    const other = await driver().createApp({ name: 'Other' });
    const theirs = client(driver(), other.live_key);
    await theirs.patch('/v1/apps/current', { webhook_url: receiver.url });
    await addDomain(theirs, 'careers.acme.com');
    await driver().advance('0s');
    const [signed] = receiver.requests.map((request) => [
      signatureOf(request).v1,
      expectedSignature(request, driver().webhook_secret),
    ]);
    expect(signed?.[0]).toHaveLength(1);
    expect(signed?.[0]).not.toContain(signed?.[1]);
  });

  /** Waits for the receiver's next request. Returns the names of the secrets that signed it, in the order of the header. */
  async function signers(secrets: Record<string, string>): Promise<string[]> {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const { id } = await addDomain(live(), 'signed.acme.com');
    await driver().advance('0s');
    const [request] = receiver.requests;
    await setWebhook(null);
    await live().delete(`/v1/domains/${id}`);
    if (request === undefined) throw new Error('nothing was delivered');
    const names = new Map(
      Object.entries(secrets).map(([name, secret]) => [expectedSignature(request, secret), name]),
    );
    return signatureOf(request).v1.map((value) => names.get(value) ?? 'unknown');
  }

  test('6: for 24 hours after a rotation there are two signatures, by the new and the previous secret', async () => {
    const { signing_secret, previous_valid_until } = await rotate();
    expect(signing_secret).toMatch(/^whsec_.{32,}$/);
    expect(signing_secret).not.toBe(driver().webhook_secret);
    expect(Date.parse(previous_valid_until)).toBe((await driver().now()) + DAY_MS);
    const secrets = { previous: driver().webhook_secret, new: signing_secret };
    expect(await signers(secrets)).toEqual(['new', 'previous']);
    await driver().advance('23h59m59s999ms');
    expect(await signers(secrets)).toEqual(['new', 'previous']);
    await driver().advance('1ms');
    expect(await signers(secrets)).toEqual(['new']);
  });

  test('4.1: rotating again within 24 hours replaces the new secret and restarts the 24 hours', async () => {
    const first = await rotate();
    await driver().advance('23h');
    const second = await rotate();
    expect(Date.parse(second.previous_valid_until)).toBe((await driver().now()) + DAY_MS);
    const secrets = {
      previous: driver().webhook_secret,
      first: first.signing_secret,
      second: second.signing_secret,
    };
    expect(await signers(secrets)).toEqual(['second', 'previous']);
    await driver().advance('23h59m59s');
    expect(await signers(secrets)).toEqual(['second', 'previous']);
    await driver().advance('1s');
    expect(await signers(secrets)).toEqual(['second']);
    const third = await rotate();
    expect(await signers({ ...secrets, third: third.signing_secret })).toEqual(['third', 'second']);
  });

  test('4.1: concurrent rotations keep the secret from before as the previous one', async () => {
    const rotated = await Promise.all(Array.from({ length: 5 }, rotate));
    const secrets = Object.fromEntries(rotated.map(({ signing_secret }) => [signing_secret, signing_secret]));
    const [latest, previous] = await signers({ ...secrets, previous: driver().webhook_secret });
    expect(Object.keys(secrets)).toContain(latest);
    expect(previous).toBe('previous');
  });

  test('2.6: no other response contains the signing secret', async () => {
    const { signing_secret } = await rotate();
    for (const path of ['/v1/apps/current', '/v1/keys']) {
      const { text } = await live().get(path);
      expect(text).not.toContain(signing_secret);
      expect(text).not.toContain('whsec_');
    }
  });

  test.each([200, 201, 202, 204, 299])('6: a response of %i delivers the event', async (status) => {
    await using receiver = await startReceiver(() => status);
    await setWebhook(receiver.url);
    const { id } = await addDomain(live(), 'careers.acme.com');
    await driver().advance('25h');
    expect(receiver.requests).not.toHaveLength(0);
    const [event] = await eventsOf(live(), id);
    expect(event?.delivery).toMatchObject({ status: 'delivered', attempts: 1, last_status_code: status });
  });

  test.each([301, 302, 307, 304, 400, 404, 410, 429, 500, 503])(
    '6: a response of %i is retried',
    async (status) => {
      await using receiver = await startReceiver(() => ({ status, headers: { location: '/elsewhere' } }));
      await setWebhook(`${receiver.url}/hook`);
      const { id } = await addDomain(testMode(), 'dns-record-missing.acme.com');
      await driver().advance('1m');
      expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/hook']);
      const [event] = await eventsOf(testMode(), id);
      expect(event?.delivery).toMatchObject({
        status: 'pending',
        attempts: 2,
        last_status_code: status,
        last_error: null,
      });
    },
  );

  test('2.4: an unreachable receiver is connection_failed, and one without TLS is tls_error', async () => {
    await using receiver = await startReceiver();
    const urls = {
      connection_failed: `http://127.0.0.1:${await closedPort()}`,
      tls_error: `https://127.0.0.1:${receiver.port}`,
    };
    for (const [lastError, url] of Object.entries(urls)) {
      await setWebhook(url);
      const { id } = await addDomain(live(), `${lastError.replace('_', '-')}.acme.com`);
      await driver().advance('0s');
      const [event] = await eventsOf(live(), id);
      expect(event?.delivery).toMatchObject({
        status: 'pending',
        last_error: lastError,
        last_status_code: null,
      });
      const { deliveries } = await getEvent(live(), event?.id ?? '');
      expect(deliveries).toMatchObject([{ status_code: null, error: lastError, delivered_at: null }]);
    }
  });
};

const DAY_MS = 86_400_000;
