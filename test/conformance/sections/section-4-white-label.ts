import { describe, expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain } from '../client.ts';
import type { Plan, Suite } from '../driver.ts';
import { APP } from '../resources.ts';

/** Tests an app's white-label host, which is its own CNAME target (sections 1, 2.1 and 4.1). */
export const whiteLabel: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const getApp = async () => (await live().get('/v1/apps/current')).as(200, APP);
  const setHost = async (whitelabelHost: string | null) =>
    (await live().patch('/v1/apps/current', { whitelabel_host: whitelabelHost })).as(200, APP);
  const HOST = 'domains.acme.com';

  /** Sets the white-label host, and makes its CNAME point to the app's target. */
  async function verifiedHost(): Promise<{ id: string; whitelabel_target: string }> {
    const app = await setHost(HOST);
    await driver().setWhitelabelFound(app.id, app.whitelabel_target);
    expect((await getApp()).whitelabel_verified).toBe(true);
    return app;
  }

  test('2.1: a host is unverified until its CNAME points to the target, and the app shows the record found', async () => {
    const { id, whitelabel_target } = await setHost('Domains.ACME.com');
    await driver().advance('1ms');
    const unverified = {
      whitelabel_host: HOST,
      whitelabel_verified: false,
      whitelabel_status_reason: 'whitelabel_unverified',
      whitelabel_grace_ends_at: null,
    };
    expect(await getApp()).toMatchObject({ ...unverified, whitelabel_found: null });
    await driver().setWhitelabelFound(id, 'elsewhere.example.net');
    expect(await getApp()).toMatchObject({ ...unverified, whitelabel_found: 'elsewhere.example.net' });
    await driver().setWhitelabelFound(id, whitelabel_target);
    expect(await getApp()).toMatchObject({
      whitelabel_host: HOST,
      whitelabel_verified: true,
      whitelabel_status_reason: null,
      whitelabel_found: null,
      whitelabel_checked_at: new Date(await driver().now()).toISOString(),
      whitelabel_grace_ends_at: null,
    });
  });

  test('2.1: a host is checked every minute at first, and every 6 hours once verified', async () => {
    const { id, whitelabel_target } = await setHost(HOST);
    const checkedAfter = async (by: string) => {
      await driver().advance(by);
      return (await getApp()).whitelabel_checked_at === new Date(await driver().now()).toISOString();
    };
    await driver().advance('0s');
    expect([await checkedAfter('59s'), await checkedAfter('1s')]).toEqual([false, true]);
    await driver().setWhitelabelFound(id, whitelabel_target);
    expect([await checkedAfter('5h59m59s'), await checkedAfter('1s')]).toEqual([false, true]);
    expect([await checkedAfter('5h59m59s'), await checkedAfter('1s')]).toEqual([false, true]);
  });

  test('2.2: customers are told to point to the host once it is verified, and to the target otherwise', async () => {
    const { whitelabel_target } = await setHost(HOST);
    const { id } = await addDomain(live(), 'careers.customer.com');
    expect((await getDomain(live(), id)).dns.cname?.value).toBe(whitelabel_target);
    await driver().setWhitelabelFound((await getApp()).id, whitelabel_target);
    expect((await getDomain(live(), id)).dns.cname?.value).toBe(HOST);
    await setHost(null);
    expect((await getDomain(live(), id)).dns.cname?.value).toBe(whitelabel_target);
  });

  test('2.1: null turns white-label off, and another host starts unverified', async () => {
    await verifiedHost();
    expect(await setHost(HOST)).toMatchObject({ whitelabel_verified: true });
    expect(await setHost('other.acme.com')).toMatchObject({ whitelabel_verified: false });
    expect(await setHost(null)).toMatchObject({
      whitelabel_host: null,
      whitelabel_verified: false,
      whitelabel_status_reason: null,
      whitelabel_found: null,
      whitelabel_checked_at: null,
      whitelabel_grace_ends_at: null,
    });
  });

  test('3: a verified host that breaks has 72 hours of grace, then its domains become dns_broken', async () => {
    const { id } = await verifiedHost();
    const domain = await addDomain(testMode(), 'careers.customer.com');
    await driver().trigger(domain.id, 'dns_confirmed');
    await driver().trigger(domain.id, 'certificate_issued');
    await driver().setWhitelabelFound(id, 'elsewhere.example.net');
    const brokenAt = await driver().now();
    expect(await getApp()).toMatchObject({
      whitelabel_verified: false,
      whitelabel_status_reason: 'whitelabel_unverified',
      whitelabel_found: 'elsewhere.example.net',
      whitelabel_grace_ends_at: new Date(brokenAt + 72 * HOUR_MS).toISOString(),
    });
    await driver().advance('71h59m59s');
    expect((await getDomain(testMode(), domain.id)).status).toBe('active');
    await driver().advance('1s');
    expect(await getDomain(testMode(), domain.id)).toMatchObject({
      status: 'dns_broken',
      status_reason: expect.stringMatching(/./),
    });
    expect((await eventsOf(testMode(), domain.id)).at(-1)).toMatchObject({
      type: 'domain.dns_broken',
      previous_status: 'active',
    });
    expect((await getApp()).whitelabel_verified).toBe(false);
  });

  describe('a test domain that broke with the host', () => {
    /** Adds an active test domain whose CNAME points to the verified white-label host. */
    async function behindHost() {
      const { id: appId, whitelabel_target } = await verifiedHost();
      const { id } = await addDomain(testMode(), 'careers.customer.com');
      await driver().trigger(id, 'dns_confirmed');
      await driver().trigger(id, 'certificate_issued');
      return { appId, id, whitelabel_target };
    }
    const stateOf = async (id: string) => {
      const { status, status_reason } = await getDomain(testMode(), id);
      return [status, status_reason];
    };

    test('3: stays broken while the host is broken, and recovers once the host is repaired', async () => {
      const { appId, id, whitelabel_target } = await behindHost();
      await driver().setWhitelabelFound(appId, null);
      await driver().advance('80h');
      expect(await stateOf(id)).toEqual(['dns_broken', 'whitelabel_unverified']);
      await driver().setWhitelabelFound(appId, whitelabel_target);
      expect(await stateOf(id)).toEqual(['active', null]);
      const last = (await eventsOf(testMode(), id)).at(-1);
      expect(last).toMatchObject({ type: 'domain.active', previous_status: 'dns_broken' });
    });

    test('3: recovers once the app removes the host', async () => {
      const { appId, id } = await behindHost();
      await driver().setWhitelabelFound(appId, null);
      await driver().advance('80h');
      await setHost(null);
      await driver().advance('0s');
      expect(await stateOf(id)).toEqual(['active', null]);
    });

    test('3: recovers once the plan includes white-label again', async () => {
      const { id } = await behindHost();
      await driver().setAccount({ plan: 'free' });
      await driver().advance('80h');
      expect(await stateOf(id)).toEqual(['dns_broken', 'whitelabel_ended']);
      await driver().setAccount({ plan: 'growth' });
      await driver().advance('0s');
      expect(await stateOf(id)).toEqual(['active', null]);
    });
  });

  test('3: a host that is repaired within the grace period leaves its domains unchanged', async () => {
    const { id, whitelabel_target } = await verifiedHost();
    const domain = await addDomain(testMode(), 'careers.customer.com');
    await driver().trigger(domain.id, 'dns_confirmed');
    await driver().trigger(domain.id, 'certificate_issued');
    await driver().setWhitelabelFound(id, null);
    await driver().advance('71h');
    await driver().setWhitelabelFound(id, whitelabel_target);
    expect(await getApp()).toMatchObject({ whitelabel_verified: true, whitelabel_grace_ends_at: null });
    await driver().advance('2h');
    expect((await getDomain(testMode(), domain.id)).status).toBe('active');
  });

  test('3: domains that do not point through the host keep serving after its grace period', async () => {
    const direct = await addDomain(testMode(), 'direct.customer.com');
    await driver().trigger(direct.id, 'dns_confirmed');
    await driver().trigger(direct.id, 'certificate_issued');
    const { id } = await verifiedHost();
    await driver().setWhitelabelFound(id, null);
    await driver().advance('73h');
    expect((await getDomain(testMode(), direct.id)).status).toBe('active');
  });

  test('4.1: a host belongs to one app', async () => {
    const app = await setHost(HOST);
    const other = await driver().createApp({ name: 'Other', plan: 'growth' });
    const theirs = client(driver(), other.live_key);
    // An app that only sets a white-label host does not own the host, and cannot block the host's owner.
    expect((await theirs.patch('/v1/apps/current', { whitelabel_host: HOST })).status).toBe(200);
    await theirs.patch('/v1/apps/current', { whitelabel_host: null });
    await driver().setWhitelabelFound(app.id, app.whitelabel_target);
    const taken = await theirs.patch('/v1/apps/current', { whitelabel_host: HOST });
    expect(taken.faults()).toEqual(['whitelabel_host']);
    await setHost(null);
    expect((await theirs.patch('/v1/apps/current', { whitelabel_host: HOST })).status).toBe(200);
  });

  test('4.1: each app has its own target', async () => {
    const other = await driver().createApp({ name: 'Other' });
    const theirs = (await client(driver(), other.live_key).get('/v1/apps/current')).as(200, APP);
    expect(theirs.whitelabel_target).not.toBe((await getApp()).whitelabel_target);
  });

  describe('plans', () => {
    const set = () => live().patch('/v1/apps/current', { whitelabel_host: HOST });

    test('4.1: the Free plan has no white-label host, but may remove one', async () => {
      await driver().setAccount({ plan: 'free', promotional: true });
      (await set()).refused('plan_required');
      expect((await getApp()).whitelabel_host).toBeNull();
      expect((await setHost(null)).whitelabel_host).toBeNull();
      // The API checks the fields before the plan.
      (await live().patch('/v1/apps/current', { whitelabel_host: 'no host' })).refused('validation_failed');
      // An apex can never have the CNAME that verifies the host.
      (await live().patch('/v1/apps/current', { whitelabel_host: 'acme.com' })).refused('validation_failed');
    });

    test.each(['growth', 'scale', 'enterprise'] satisfies Plan[])('4.1: the plan %s has it', async (plan) => {
      await driver().setAccount({ plan });
      expect((await set()).status).toBe(200);
    });

    test('2.2: without white-label, customers are shown the target at once, and the host counts for another 72 hours', async () => {
      const { whitelabel_target } = await verifiedHost();
      const shown = async (id: string) => (await getDomain(live(), id)).dns.cname?.value;
      const existing = await addDomain(live(), 'existing.customer.com');
      await driver().trigger(existing.id, 'dns_confirmed');
      await driver().trigger(existing.id, 'certificate_issued');
      expect(await shown(existing.id)).toBe(HOST);

      const endsAt = (await driver().now()) + 10_000;
      await driver().setAccount({ plan: 'free', trial_ends_at: new Date(endsAt).toISOString() });
      expect((await addDomain(live(), 'trial.customer.com')).dns.cname?.value).toBe(HOST);
      await driver().advance('10s');
      const added = await addDomain(live(), 'new.customer.com');
      expect(added.dns.cname?.value).toBe(whitelabel_target);
      expect(await shown(existing.id)).toBe(whitelabel_target);
      const lostAt = await driver().now();
      expect(await getApp()).toMatchObject({
        whitelabel_verified: true,
        whitelabel_status_reason: null,
        whitelabel_grace_ends_at: new Date(lostAt + 72 * HOUR_MS).toISOString(),
      });
      await driver().advance('71h');
      expect((await getDomain(live(), existing.id)).status).toBe('active');
      await driver().advance('2h');
      expect(await getDomain(live(), existing.id)).toMatchObject({
        status: 'dns_broken',
        status_reason: expect.stringMatching(/./),
      });

      await driver().setAccount({ plan: 'growth' });
      await driver().advance('1s');
      expect(await getApp()).toMatchObject({ whitelabel_verified: true, whitelabel_grace_ends_at: null });
      expect(await shown(added.id)).toBe(HOST);
    });

    test('4.1: the trial includes white-label until it ends', async () => {
      const endsAt = (await driver().now()) + 10_000;
      await driver().setAccount({ plan: 'free', trial_ends_at: new Date(endsAt).toISOString() });
      await driver().advance('9s999ms');
      expect((await set()).status).toBe(200);
      await setHost(null);
      await driver().advance('1ms');
      (await set()).refused('plan_required');
    });
  });
};

const HOUR_MS = 3_600_000;
