import { describe, expect, test } from 'vitest';
import { FORCED_OUTCOMES } from '../../../shared/core/domains/test-mode.ts';
import { addDomain, client, eventsOf, getDomain } from '../client.ts';
import type { Suite } from '../driver.ts';
import type { ErrorCode } from '../resources.ts';

/** Tests the timer of test domains, and the outcomes that the first label of a hostname forces (sections 1 and 3). */
export const timer: Suite = (driver) => {
  const api = () => client(driver(), driver().test_key);
  const statusOf = async (id: string) => (await getDomain(api(), id)).status;

  test('3: verifying at 3 s, issuing at 6 s, active at 10 s, each with its event', async () => {
    const { id } = await addDomain(api(), 'careers.acme.com');
    const seen: string[] = [];
    for (const by of ['2s999ms', '1ms', '2s999ms', '1ms', '3s999ms', '1ms']) {
      await driver().advance(by);
      seen.push(await statusOf(id));
    }
    expect(seen).toEqual(['pending_dns', 'verifying', 'verifying', 'issuing', 'issuing', 'active']);
    const events = await eventsOf(api(), id);
    const start = Date.parse(events[0]?.created_at ?? '');
    expect(events.map(({ type, created_at }) => [type, Date.parse(created_at) - start])).toEqual([
      ['domain.created', 0],
      ['domain.verified', 6_000],
      ['domain.active', 10_000],
    ]);
  });

  test('3: an apex domain runs on the same timer', async () => {
    const { id } = await addDomain(api(), 'acme.com');
    await driver().advance('10s');
    expect(await statusOf(id)).toBe('active');
  });

  test('3: dns-broken becomes active, and dns_broken ten seconds later', async () => {
    const { id } = await addDomain(api(), 'dns-broken.acme.com');
    await driver().advance('10s');
    expect(await statusOf(id)).toBe('active');
    await driver().advance('9s999ms');
    expect(await statusOf(id)).toBe('active');
    await driver().advance('1ms');
    expect(await getDomain(api(), id)).toMatchObject({
      status: 'dns_broken',
      status_reason: expect.stringMatching(/^dns_/),
    });
    await driver().advance('1h');
    expect(await statusOf(id)).toBe('dns_broken');
  });

  test('3: dns-flapping alternates every ten seconds, ten times', async () => {
    const { id } = await addDomain(api(), 'dns-flapping.acme.com');
    await driver().advance('1h');
    const events = await eventsOf(api(), id);
    const start = Date.parse(events[0]?.created_at ?? '');
    const turns = events.slice(3).map(({ status, created_at }) => [status, Date.parse(created_at) - start]);
    expect(turns).toEqual(
      Array.from({ length: 10 }, (_, turn) => [turn % 2 ? 'active' : 'dns_broken', 20_000 + turn * 10_000]),
    );
    expect(await statusOf(id)).toBe('active');
  });

  test('3: held is held ten seconds after creation', async () => {
    const { id } = await addDomain(api(), 'held.acme.com');
    await driver().advance('9s999ms');
    expect(await statusOf(id)).toBe('issuing');
    await driver().advance('1ms');
    expect(await statusOf(id)).toBe('held');
    await driver().trigger(id, 'release');
    await driver().advance('10s');
    expect(await statusOf(id)).toBe('active');
    expect((await eventsOf(api(), id)).map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.verified',
      'domain.held',
      'domain.released',
      'domain.active',
    ]);
  });

  test('3: the first label of a longer name does not count, nor does a label that only starts like one', async () => {
    const { id } = await addDomain(api(), 'a.dns-broken.acme.com');
    const other = await addDomain(api(), 'dns-broken-2.acme.com');
    await driver().advance('1h');
    expect([await statusOf(id), await statusOf(other.id)]).toEqual(['active', 'active']);
  });

  describe('each label that forces an outcome', () => {
    const dns = FORCED_OUTCOMES.flatMap(({ label, reason }) =>
      reason === undefined ? [] : [{ label, reason }],
    );
    const ca = FORCED_OUTCOMES.flatMap(({ label, steps }) =>
      steps.issuing?.trigger === 'issuance_failed' ? [{ label, reason: steps.issuing.reason }] : [],
    );
    const refusals = FORCED_OUTCOMES.flatMap(({ label, refusedWith }) =>
      refusedWith === undefined ? [] : [{ label, refusedWith: refusedWith as ErrorCode }],
    );

    test.each(dns)('3: $label stays in pending_dns with $reason and expires after 72 hours', async (row) => {
      const created = await addDomain(api(), `${row.label}.acme.com`);
      expect(created).toMatchObject({ status: 'pending_dns', status_reason: row.reason });
      const { status_detail } = created;
      expect(status_detail?.expected).not.toBe('');
      expect(status_detail?.hint).not.toMatch(/[[\]{}]/);
      await driver().advance('71h59m59s');
      expect(await getDomain(api(), created.id)).toMatchObject({ status: 'pending_dns', status_detail });
      await driver().advance('1s');
      expect(await statusOf(created.id)).toBe('expired');
    });

    test.each(ca)('3: $label is cert_failed with $reason instead of active', async (row) => {
      const { id } = await addDomain(api(), `${row.label}.acme.com`);
      await driver().advance('9s999ms');
      expect(await statusOf(id)).toBe('issuing');
      await driver().advance('1ms');
      const { status, status_reason, status_detail, certificate } = await getDomain(api(), id);
      expect({ status, status_reason, certificate }).toEqual({
        status: 'cert_failed',
        status_reason: row.reason,
        certificate: null,
      });
      expect(status_detail?.hint).not.toMatch(/[[\]{}]/);
      expect((await eventsOf(api(), id)).at(-1)?.type).toBe('domain.cert_failed');
    });

    test('ready-to-switch has its certificate a minute before its record', async () => {
      const { id } = await addDomain(api(), 'ready-to-switch.acme.com');
      await driver().advance('3s');
      expect(await getDomain(api(), id)).toMatchObject({ status: 'pending_dns', ready_to_switch: true });
      await driver().advance('1m7s');
      expect(await getDomain(api(), id)).toMatchObject({ status: 'active', ready_to_switch: false });
    });

    test('short-lived renews its certificate after 80 hours', async () => {
      const { id } = await addDomain(api(), 'short-lived.acme.com');
      await driver().advance('81h');
      expect((await eventsOf(api(), id)).at(-1)?.type).toBe('domain.certificate_renewed');
    });

    test.each(refusals)('4.3: $label is refused with $refusedWith', async ({ label, refusedWith }) => {
      (await api().post('/v1/domains', { hostname: `${label}.acme.com` })).refused(refusedWith);
      expect((await api().get('/v1/domains')).text).toBe('{"data":[],"next_cursor":null}');
    });

    test('are known to this suite', () => {
      const special = ['dns-broken', 'dns-flapping', 'held', 'ready-to-switch', 'short-lived'];
      const covered = [...special, ...[...dns, ...ca, ...refusals].map(({ label }) => label)];
      expect(FORCED_OUTCOMES.map(({ label }) => label).sort()).toEqual(covered.sort());
    });
  });
};
