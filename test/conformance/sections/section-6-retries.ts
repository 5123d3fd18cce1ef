import { expect, test } from 'vitest';
import { addDomain, client, eventsOf, getEvent } from '../client.ts';
import type { Suite } from '../driver.ts';
import { type Receiver, startReceiver, webhookBody } from '../receiver.ts';

/** Tests the retries of webhooks, and the order of a domain's events (`docs/api.md#webhooks`). */
export const retries: Suite = (driver) => {
  const api = () => client(driver(), driver().test_key);
  const setWebhook = (webhookUrl: string | null) =>
    api().patch('/v1/apps/current', { webhook_url: webhookUrl });
  /** A hostname whose test domain never changes its status by itself, so that the domain has only one event. */
  const QUIET = 'dns-record-missing.acme.com';

  async function add(hostname = QUIET): Promise<{ event_id: string; domain_id: string }> {
    const { id } = await addDomain(api(), hostname);
    await driver().advance('0s');
    const [event] = await eventsOf(api(), id);
    return { event_id: event?.id ?? '', domain_id: id };
  }

  const typesAt = ({ requests }: Receiver) => requests.map((request) => webhookBody(request).type);

  test('6: eight attempts, with retries 1 m, 5 m, 30 m, 2 h, 6 h, 12 h and 24 h after the first, then failed', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { event_id } = await add();
    const first = await driver().now();
    let passedMs = 0;
    for (const [index, retryMs] of RETRIES_MS.entries()) {
      const { delivery } = await getEvent(api(), event_id);
      expect(delivery).toMatchObject({ status: 'pending', attempts: index + 1 });
      expect(Date.parse(delivery.next_attempt_at ?? '')).toBe(first + retryMs);
      await driver().advance(`${retryMs - passedMs - 1}ms`);
      expect(receiver.requests).toHaveLength(index + 1);
      await driver().advance('1ms');
      expect(receiver.requests).toHaveLength(index + 2);
      passedMs = retryMs;
    }
    const { delivery, deliveries } = await getEvent(api(), event_id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempts: 8,
      last_status_code: 500,
      next_attempt_at: null,
    });
    expect(deliveries.map(({ attempt }) => attempt)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    const due = deliveries.map(
      ({ next_attempt_at }) => next_attempt_at && Date.parse(next_attempt_at) - first,
    );
    expect(due.reverse()).toEqual([...RETRIES_MS, null]);
    await driver().advance('7d');
    expect(receiver.requests).toHaveLength(8);
  });

  test('6: a retry has the same event id and body, and its own delivery id', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { event_id } = await add();
    await driver().advance('25h');
    const ids = receiver.requests.map(({ headers }) => headers['service-delivery-id']);
    expect(new Set(ids).size).toBe(8);
    expect((await getEvent(api(), event_id)).deliveries.map(({ id }) => id)).toEqual(ids.reverse());
    expect(new Set(receiver.requests.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id']))).toEqual(
      new Set([event_id]),
    );
  });

  test('6: a successful retry ends the retries', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { event_id } = await add();
    receiver.answer = () => 200;
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(2);
    const { delivery, deliveries } = await getEvent(api(), event_id);
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 2,
      last_status_code: 200,
      next_attempt_at: null,
    });
    expect(deliveries.map(({ delivered_at }) => delivered_at === null)).toEqual([false, true]);
  });

  test('6: an event that waits behind another has no next attempt until its turn comes', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { id } = await addDomain(api(), 'careers.acme.com');
    await driver().advance('7s');
    const [first, later] = await eventsOf(api(), id);
    expect(first?.delivery).toMatchObject({
      status: 'pending',
      attempts: 1,
      next_attempt_at: expect.any(String),
    });
    expect(later?.delivery).toMatchObject({ status: 'pending', attempts: 0, next_attempt_at: null });
    expect((await getEvent(api(), later?.id ?? '')).delivery).toEqual(later?.delivery);
    receiver.answer = () => (receiver.requests.length === 2 ? 200 : 500);
    await driver().advance('1m');
    const { delivery } = await getEvent(api(), later?.id ?? '');
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1 });
    expect(Date.parse(delivery.next_attempt_at ?? '')).toBeGreaterThan(await driver().now());
  });

  test('6: a failing event holds back later events of its domain, but not those of other domains', async () => {
    await using receiver = await startReceiver((request) =>
      webhookBody(request).data.domain.hostname === 'a.acme.com' ? 500 : 200,
    );
    await setWebhook(receiver.url);
    const a = await addDomain(api(), 'a.acme.com');
    const b = await addDomain(api(), 'b.acme.com');
    await driver().advance('20s');
    const received = receiver.requests.map((request) => [
      webhookBody(request).data.domain.hostname[0],
      webhookBody(request).type,
    ]);
    expect(received.filter(([name]) => name === 'a')).toEqual([['a', 'domain.created']]);
    expect(received.filter(([name]) => name === 'b').map(([, type]) => type)).toEqual(WAY);
    expect((await eventsOf(api(), b.id)).map(({ delivery }) => delivery.status)).toEqual(
      WAY.map(() => 'delivered'),
    );
    const waiting = (await eventsOf(api(), a.id)).map(({ delivery }) => [delivery.status, delivery.attempts]);
    expect(waiting).toEqual([
      ['pending', 1],
      ['pending', 0],
      ['pending', 0],
    ]);
    receiver.answer = () => 200;
    receiver.requests.length = 0;
    await driver().advance('40s');
    expect(typesAt(receiver)).toEqual(WAY);
  });

  test('6: an event that failed finally lets the next one through, with its own retries', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { domain_id } = await add();
    await api().delete(`/v1/domains/${domain_id}`);
    await driver().advance('24h');
    expect(typesAt(receiver)).toEqual([
      ...Array.from({ length: 8 }, () => 'domain.created'),
      'domain.deleted',
    ]);
    await driver().advance('1m');
    expect(typesAt(receiver).slice(8)).toEqual(['domain.deleted', 'domain.deleted']);
    const events = await eventsOf(api(), domain_id);
    expect(events.map(({ delivery }) => delivery.status)).toEqual(['failed', 'pending']);
  });

  test('6: the events of one domain arrive in order, however many there are', async () => {
    await using receiver = await startReceiver();
    await setWebhook(receiver.url);
    const { id } = await addDomain(api(), 'dns-flapping.acme.com');
    await driver().advance('1h');
    const events = await eventsOf(api(), id);
    expect(events.length).toBe(13);
    expect(receiver.requests.map((request) => webhookBody(request).id)).toEqual(
      events.map((event) => event.id),
    );
    const times = receiver.requests.map((request) => Date.parse(webhookBody(request).created_at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });

  test('2.4: clearing webhook_url ends pending events: as none if never attempted, otherwise as failed', async () => {
    await using receiver = await startReceiver(() => 500);
    await setWebhook(receiver.url);
    const { domain_id } = await add();
    await api().delete(`/v1/domains/${domain_id}`);
    await setWebhook(null);
    const deliveries = (await eventsOf(api(), domain_id)).map(({ delivery }) => delivery);
    expect(deliveries).toMatchObject([
      { status: 'failed', attempts: 1, next_attempt_at: null },
      { status: 'none', attempts: 0, next_attempt_at: null },
    ]);
    await setWebhook(receiver.url);
    await driver().advance('25h');
    expect(receiver.requests).toHaveLength(1);
  });

  test('6: a changed webhook_url receives the next attempt', async () => {
    await using receiver = await startReceiver(() => 500);
    await using other = await startReceiver();
    await setWebhook(receiver.url);
    const { event_id } = await add();
    await setWebhook(other.url);
    expect((await getEvent(api(), event_id)).delivery.status).toBe('pending');
    await driver().advance('1m');
    expect([receiver.requests.length, other.requests.length]).toEqual([1, 1]);
    expect((await getEvent(api(), event_id)).delivery).toMatchObject({ status: 'delivered', attempts: 2 });
  });
};

const MINUTE_MS = 60_000;
const RETRIES_MS = [1, 5, 30, 120, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS);
const WAY = ['domain.created', 'domain.verified', 'domain.active'];
