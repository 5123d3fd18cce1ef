import { expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { startReceiver } from '../receiver.ts';
import { EVENTS } from '../resources.ts';

/** Tests the filters of the list of events (`docs/api.md#operations`). */
export const listingEvents: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  test('4.4: events by domain and by type', async () => {
    const { id } = await addDomain(live(), 'a.acme.com');
    await addDomain(live(), 'b.acme.com');
    await live().delete(`/v1/domains/${id}`);
    const found = async (query: string) =>
      (await live().get(`/v1/events?${query}`))
        .as(200, EVENTS)
        .data.map(({ type, hostname }) => [type, hostname]);
    expect(await found(`domain_id=${id}`)).toEqual([
      ['domain.deleted', 'a.acme.com'],
      ['domain.created', 'a.acme.com'],
    ]);
    expect(await found('type=domain.deleted')).toEqual([['domain.deleted', 'a.acme.com']]);
    expect(await found('domain_id=dom_1')).toEqual([]);
    expect((await live().get('/v1/events?type=domain.unknown')).faults()).toEqual(['type']);
  });

  test('4.4: the list filters events by delivery status, also after the status has changed', async () => {
    await using receiver = await startReceiver(() => 500);
    const found = async (query: string) =>
      (await testMode().get(`/v1/events?${query}`)).as(200, EVENTS).data.map(({ hostname }) => hostname);
    await addDomain(testMode(), 'dns-record-missing.a.com');
    await testMode().patch('/v1/apps/current', { webhook_url: receiver.url });
    const { id } = await addDomain(testMode(), 'dns-record-missing.b.com');
    await driver().advance('0s');
    expect(await found('delivery=none')).toEqual(['dns-record-missing.a.com']);
    expect(await found('delivery=pending')).toEqual(['dns-record-missing.b.com']);
    await driver().advance('3d');
    expect(await found('delivery=pending')).toEqual([]);
    expect(await found(`delivery=failed&domain_id=${id}`)).toEqual(['dns-record-missing.b.com']);
    expect(await found('delivery=delivered')).toEqual([]);
    expect((await testMode().get('/v1/events?delivery=lost')).faults()).toEqual(['delivery']);
  });
};
