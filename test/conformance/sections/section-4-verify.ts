import { expect, test } from 'vitest';
import { addDomain, client, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';

/** Tests POST /v1/domains/{id}/verify (`docs/api.md#domains`). */
export const verify: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const ask = (id: string) => live().post(`/v1/domains/${id}/verify`);

  const CHECKED: [string, string[]][] = [
    ['pending_dns', []],
    ['verifying', ['dns_seen']],
    ['active', ['dns_confirmed', 'certificate_issued']],
    ['dns_broken', ['dns_confirmed', 'certificate_issued', 'dns_gone']],
    ['cert_failed', ['dns_confirmed', 'issuance_failed']],
  ];

  test.each(CHECKED)('4.3: in %s it responds with 202 {queued: true}', async (status, triggers) => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    for (const trigger of triggers) await driver().trigger(id, trigger);
    expect((await getDomain(live(), id)).status).toBe(status);
    expect((await ask(id)).as(202, { queued: 'boolean' })).toEqual({ queued: true });
  });

  const NOTHING_TO_CHECK: [string, string[]][] = [
    ['issuing', ['dns_confirmed']],
    ['held', ['hold']],
    ['expired', ['window_passed']],
  ];

  test.each(NOTHING_TO_CHECK)('4.3: in %s there is nothing to check: 422', async (_, triggers) => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    for (const trigger of triggers) await driver().trigger(id, trigger);
    (await ask(id)).refused('validation_failed');
    expect((await ask(id)).faults()).toEqual(['status']);
  });

  test('4.3: for a test domain there is nothing to check, whatever its status: 422', async () => {
    const { id } = await addDomain(testMode(), 'careers.acme.com');
    for (const by of ['0s', '4s', '4s', '4s']) {
      await driver().advance(by);
      expect((await testMode().post(`/v1/domains/${id}/verify`)).faults()).toEqual(['mode']);
    }
  });

  test('4.3: allows one check in 15 seconds per domain, then 429 with Retry-After', async () => {
    const { id } = await addDomain(live(), 'dns-record-missing.acme.com');
    const other = await addDomain(live(), 'dns-proxied.acme.com');
    expect((await ask(id)).status).toBe(202);
    const limited = await ask(id);
    limited.refused('rate_limited');
    expect(limited.headers.get('retry-after')).toBe('15');
    expect((await ask(other.id)).status).toBe(202);
    await driver().advance('14s');
    expect((await ask(id)).headers.get('retry-after')).toBe('1');
    await driver().advance('1s');
    expect((await ask(id)).status).toBe(202);
    expect((await ask(id)).status).toBe(429);
  });

  test('4.3: the limit also applies to concurrent requests', async () => {
    const { id } = await addDomain(live(), 'careers.acme.com');
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await ask(id)).status));
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
  });

  test('4.3: checks now, not at the next scheduled time', async () => {
    const { id } = await addDomain(live(), 'dns-record-missing.acme.com');
    await driver().advance('2h3s');
    expect((await ask(id)).status).toBe(202);
    await driver().advance('0s');
    const { last_checked_at } = await getDomain(live(), id);
    expect(Date.parse(last_checked_at ?? '')).toBe(await driver().now());
  });
};
