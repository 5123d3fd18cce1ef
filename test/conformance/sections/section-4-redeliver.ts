import { expect, test, vi } from 'vitest';
import { addDomain, client, eventsOf, getEvent } from '../client.ts';
import type { Suite } from '../driver.ts';
import { expectedSignature, type Receiver, signatureOf, startReceiver, webhookBody } from '../receiver.ts';
import { DELIVERY } from '../resources.ts';

/** Tests POST /v1/events/{id}/redeliver (`docs/api.md#events`). */
export const redeliver: Suite = (driver) => {
  const api = () => client(driver(), driver().test_key);
  const ask = (id: string) => api().post(`/v1/events/${id}/redeliver`);
  const redelivered = async (id: string) => (await ask(id)).as(201, DELIVERY);
  const setWebhook = (webhookUrl: string | null) =>
    api().patch('/v1/apps/current', { webhook_url: webhookUrl });

  /** Adds a domain whose status does not change by itself. Returns its only event after the first attempt. */
  async function attempted(receiver: Receiver): Promise<{ event_id: string; domain_id: string }> {
    await setWebhook(receiver.url);
    const { id } = await addDomain(api(), 'dns-record-missing.acme.com');
    await driver().advance('0s');
    const [event] = await eventsOf(api(), id);
    return { event_id: event?.id ?? '', domain_id: id };
  }

  test('4.4: sends the original body again, freshly signed, under the same event id and a new delivery id', async () => {
    await using receiver = await startReceiver();
    const { event_id, domain_id } = await attempted(receiver);
    await api().patch(`/v1/domains/${domain_id}`, { metadata: { later: true } });
    const delivery = await redelivered(event_id);
    const [first, second] = receiver.requests;
    expect(second?.raw).toBe(first?.raw);
    expect(second?.headers['service-event-id']).toBe(event_id);
    expect(second?.headers['service-delivery-id']).toBe(delivery.id);
    expect(first?.headers['service-delivery-id']).not.toBe(delivery.id);
    expect(second && signatureOf(second).v1).toEqual([
      second && expectedSignature(second, driver().webhook_secret),
    ]);
    expect(delivery).toMatchObject({
      event_id,
      attempt: 2,
      status_code: 200,
      error: null,
      next_attempt_at: null,
    });
    expect(Date.parse(delivery.delivered_at ?? '')).toBe(await driver().now());
    expect(delivery.response_ms).toBeGreaterThanOrEqual(0);
  });

  test('shows some headers and the first 2 KB of the response of each attempt', async () => {
    const headers = { 'content-type': 'text/plain', 'set-cookie': 'session=1' };
    await using receiver = await startReceiver(() => ({ status: 500, headers, body: 'é'.repeat(1500) }));
    const { event_id } = await attempted(receiver);
    receiver.answer = () => ({ status: 200, headers, body: 'got\0it' });
    const redelivery = await redelivered(event_id);
    expect(redelivery).toMatchObject({
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'got\ufffdit',
    });
    const [newest, first] = (await getEvent(api(), event_id)).deliveries;
    expect(newest).toEqual(redelivery);
    expect(first).toMatchObject({
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'é'.repeat(1024),
    });
    expect(first?.response_headers).not.toHaveProperty('set-cookie');
  });

  test('4.4: a 2xx ends the retries of a pending event', async () => {
    await using receiver = await startReceiver(() => 500);
    const { event_id } = await attempted(receiver);
    receiver.answer = () => 202;
    await redelivered(event_id);
    await driver().advance('30h');
    expect(receiver.requests).toHaveLength(2);
    expect((await getEvent(api(), event_id)).delivery).toMatchObject({
      status: 'delivered',
      attempts: 2,
      next_attempt_at: null,
    });
  });

  test('4.4: a failure is 201 as well, and leaves the retry schedule and the eight attempts unchanged', async () => {
    await using receiver = await startReceiver(() => 500);
    const { event_id } = await attempted(receiver);
    const before = (await getEvent(api(), event_id)).delivery;
    for (const attempt of [2, 3, 4]) {
      expect(await redelivered(event_id)).toMatchObject({ attempt, status_code: 500, delivered_at: null });
    }
    const after = (await getEvent(api(), event_id)).delivery;
    expect(after).toMatchObject({ status: 'pending', attempts: 4, next_attempt_at: before.next_attempt_at });
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(8 + 3);
    expect((await getEvent(api(), event_id)).delivery).toMatchObject({ status: 'failed', attempts: 11 });
  });

  test('4.4: a delivered event stays delivered, even when a redelivery fails', async () => {
    await using receiver = await startReceiver();
    const { event_id } = await attempted(receiver);
    receiver.answer = () => 500;
    expect(await redelivered(event_id)).toMatchObject({ status_code: 500 });
    expect((await getEvent(api(), event_id)).delivery).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_status_code: 500,
      next_attempt_at: null,
    });
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(2);
  });

  test('4.4: a failed event is delivered by a redelivery that succeeds', async () => {
    await using receiver = await startReceiver(() => 500);
    const { event_id } = await attempted(receiver);
    await driver().advance('25h');
    expect((await getEvent(api(), event_id)).delivery.status).toBe('failed');
    receiver.answer = () => 204;
    expect(await redelivered(event_id)).toMatchObject({ attempt: 9, status_code: 204 });
    expect((await getEvent(api(), event_id)).delivery).toMatchObject({ status: 'delivered', attempts: 9 });
  });

  test('4.4: an event from before the webhook URL was set can be delivered later', async () => {
    await using receiver = await startReceiver();
    const { id } = await addDomain(api(), 'careers.acme.com');
    const [event] = await eventsOf(api(), id);
    const eventId = event?.id ?? '';
    expect((await ask(eventId)).faults()).toEqual(['webhook_url']);
    await setWebhook(receiver.url);
    expect(await redelivered(eventId)).toMatchObject({ attempt: 1, status_code: 200 });
    expect((await getEvent(api(), eventId)).delivery.status).toBe('delivered');
  });

  test('4.4: uses the current webhook URL; without one it is 422', async () => {
    await using receiver = await startReceiver();
    await using other = await startReceiver();
    const { event_id } = await attempted(receiver);
    await setWebhook(`${other.url}/new?a=b`);
    await redelivered(event_id);
    expect(other.requests.map(({ path }) => path)).toEqual(['/new?a=b']);
    expect(receiver.requests).toHaveLength(1);
    await setWebhook(null);
    expect((await ask(event_id)).faults()).toEqual(['webhook_url']);
  });

  test('4.4: works for the events of a deleted domain', async () => {
    await using receiver = await startReceiver();
    const { event_id, domain_id } = await attempted(receiver);
    await api().delete(`/v1/domains/${domain_id}`);
    await redelivered(event_id);
    await driver().advance('1s');
    const types = receiver.requests.map((request) => webhookBody(request).type);
    expect(types.toSorted()).toEqual(['domain.created', 'domain.created', 'domain.deleted']);
  });

  test('4.4: each of several concurrent redeliveries is sent, with a number of its own', async () => {
    await using receiver = await startReceiver();
    const { event_id } = await attempted(receiver);
    const made = await Promise.all(Array.from({ length: 5 }, () => redelivered(event_id)));
    expect(made.map(({ attempt }) => attempt).sort()).toEqual([2, 3, 4, 5, 6]);
    const { deliveries } = await getEvent(api(), event_id);
    const sent = receiver.requests.map(({ headers }) => headers['service-delivery-id']);
    expect(deliveries.map(({ id }) => id).sort()).toEqual(sent.sort());
  });

  /** Begins the first attempt of a domain's first event. `respond` sends its response; later attempts get an immediate response. */
  async function hanging(receiver: Receiver, status = 200) {
    const first = Promise.withResolvers<number>();
    receiver.answer = () => (receiver.requests.length === 1 ? first.promise : status);
    await setWebhook(receiver.url);
    const { id } = await addDomain(api(), 'dns-record-missing.acme.com');
    const moved = driver().advance('0s');
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));
    const [event] = await eventsOf(api(), id);
    const respond = async (answer: number) => {
      const running = (await getEvent(api(), event?.id ?? '')).deliveries.at(-1);
      expect(running).toMatchObject({ attempt: 1, status_code: null, error: null });
      first.resolve(answer);
      await moved;
    };
    return { event_id: event?.id ?? '', domain_id: id, respond };
  }

  test('4.4: a redelivery is sent at once while an attempt of the domain hangs, and its 2xx outlives that attempt', async () => {
    await using receiver = await startReceiver();
    const { event_id, respond } = await hanging(receiver);
    expect(await redelivered(event_id)).toMatchObject({ attempt: 2, status_code: 200 });
    const [newest, first] = (await getEvent(api(), event_id)).deliveries;
    expect([newest?.status_code, first?.status_code]).toEqual([200, null]);
    await respond(500);
    const { delivery, deliveries } = await getEvent(api(), event_id);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_status_code: 200,
      next_attempt_at: null,
    });
    expect(deliveries.map(({ status_code }) => status_code)).toEqual([200, 500]);
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(2);
  });

  test('4.4: a redelivery that fails beside a hanging attempt leaves the schedule to that attempt', async () => {
    await using receiver = await startReceiver();
    const { event_id, respond } = await hanging(receiver, 503);
    expect(await redelivered(event_id)).toMatchObject({ attempt: 2, status_code: 503 });
    await respond(500);
    const { delivery } = await getEvent(api(), event_id);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 2, last_status_code: 503 });
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(8 + 1);
  });

  test('4.4: ten redeliveries beside a hanging attempt are all sent, before the limit refuses one', async () => {
    await using receiver = await startReceiver();
    const { event_id, respond } = await hanging(receiver);
    const asked = await Promise.all(Array.from({ length: 11 }, () => ask(event_id)));
    expect(asked.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), 429]);
    expect(receiver.requests).toHaveLength(1 + 10);
    await respond(200);
  });

  test('4.4: later events wait for the running attempt of an event, although a redelivery of the event got a 2xx', async () => {
    await using receiver = await startReceiver();
    const { event_id, domain_id, respond } = await hanging(receiver);
    await api().delete(`/v1/domains/${domain_id}`);
    await redelivered(event_id);
    const types = () => receiver.requests.map((request) => webhookBody(request).type);
    expect(types()).toEqual(['domain.created', 'domain.created']);
    await respond(500);
    await driver().advance('0s');
    expect(types()).toEqual(['domain.created', 'domain.created', 'domain.deleted']);
  });

  test('4.4: an event from before the webhook URL was set becomes failed if its first redelivery fails', async () => {
    await using receiver = await startReceiver(() => 500);
    const { id } = await addDomain(api(), 'careers.acme.com');
    const eventId = (await eventsOf(api(), id))[0]?.id ?? '';
    expect((await getEvent(api(), eventId)).delivery).toMatchObject({ status: 'none', attempts: 0 });
    await setWebhook(receiver.url);
    await redelivered(eventId);
    const failed = { status: 'failed', attempts: 1, last_status_code: 500, next_attempt_at: null };
    expect((await getEvent(api(), eventId)).delivery).toMatchObject(failed);
    receiver.answer = () => 200;
    await redelivered(eventId);
    expect((await getEvent(api(), eventId)).delivery).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('4.4: releases the events that waited behind a failed one', async () => {
    await using receiver = await startReceiver(() => 500);
    const { event_id, domain_id } = await attempted(receiver);
    await api().delete(`/v1/domains/${domain_id}`);
    await driver().advance('1s');
    expect(receiver.requests).toHaveLength(1);
    receiver.answer = () => 200;
    await redelivered(event_id);
    await driver().advance('0s');
    expect(receiver.requests.map((request) => webhookBody(request).type)).toEqual([
      'domain.created',
      'domain.created',
      'domain.deleted',
    ]);
  });

  test('4.4: an event shows its 50 newest deliveries, newest first', async () => {
    await using receiver = await startReceiver(() => 500);
    const { event_id } = await attempted(receiver);
    await driver().advance('25h');
    const automatic = receiver.requests.length;
    for (let made = 0; made < 45; made++) {
      if (made % 10 === 0) await driver().advance('1m');
      await redelivered(event_id);
    }
    const { delivery, deliveries } = await getEvent(api(), event_id);
    expect(delivery.attempts).toBe(automatic + 45);
    const sent = receiver.requests.map(({ headers }) => headers['service-delivery-id']);
    expect(sent).toHaveLength(53);
    expect(deliveries.map(({ id }) => id)).toEqual(sent.reverse().slice(0, 50));
    expect(deliveries.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 50 }, (_, i) => 53 - i));
  });

  test('4.4: allows ten a minute per app, then 429 with Retry-After, whatever the key', async () => {
    await using receiver = await startReceiver();
    const { event_id } = await attempted(receiver);
    for (let count = 0; count < 10; count++) expect((await ask(event_id)).status).toBe(201);
    const limited = await ask(event_id);
    limited.refused('rate_limited');
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    const made = JSON.parse((await api().post('/v1/keys', { name: 'CI', mode: 'test' })).text) as {
      key: string;
    };
    (await client(driver(), made.key).post(`/v1/events/${event_id}/redeliver`)).refused('rate_limited');
    expect(receiver.requests).toHaveLength(11);
    const other = await driver().createApp({ name: 'Other' });
    const theirs = client(driver(), other.live_key);
    await theirs.patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(theirs, 'careers.acme.com');
    await driver().advance('0s');
    const [event] = await eventsOf(theirs, id);
    expect((await theirs.post(`/v1/events/${event?.id}/redeliver`)).status).toBe(201);
  });
};
