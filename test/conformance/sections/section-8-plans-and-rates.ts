import { describe, expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { CHANGED_DOMAIN } from '../resources.ts';

/** Tests how many live domains an account may have, and how many requests a key may send (sections 4.3 and 8). */
export const plansAndRates: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const add = (hostname: string) => live().post('/v1/domains', { hostname });

  const GROWTH = { plan: 'growth', included: 50, limit: 100 };
  const SCALE = { plan: 'scale', included: 500, limit: 1000 };
  const ENTERPRISE = { plan: 'enterprise', included: 10_000, limit: 20_000 };

  async function addMany(count: number): Promise<void> {
    for (let from = 0; from < count; from += 20) {
      const hostnames = Array.from({ length: Math.min(20, count - from) }, (_, n) => `d${from + n}.acme.com`);
      await Promise.all(hostnames.map((hostname) => addDomain(live(), hostname)));
    }
  }

  test('4.3: Free allows 3 live domains, and the refusal names the plans that allow one more', async () => {
    await driver().setAccount({ plan: 'free' });
    await addMany(3);
    const { status_detail } = (await add('one-more.acme.com')).refused('domain_limit_reached');
    expect(status_detail).toEqual({
      plan: 'free',
      trial: false,
      used: 3,
      limit: 3,
      hostname: 'one-more.acme.com',
      plans: [GROWTH, SCALE, ENTERPRISE],
    });
  });

  test('4.3: an existing hostname does not count again, and test domains do not count', async () => {
    await driver().setAccount({ plan: 'free' });
    await addMany(3);
    expect((await add('d0.acme.com')).status).toBe(200);
    for (let n = 0; n < 5; n++) await addDomain(testMode(), `test${n}.acme.com`);
  });

  test('4.3: deleted and expired domains do not count', async () => {
    await driver().setAccount({ plan: 'free' });
    await addMany(2);
    const { id } = await addDomain(live(), 'last.acme.com');
    (await live().delete(`/v1/domains/${id}`)).empty();
    const expiring = await addDomain(live(), 'expiring.acme.com');
    (await add('next.acme.com')).refused('domain_limit_reached');
    await driver().trigger(expiring.id, 'window_passed');
    await addDomain(live(), 'next.acme.com');
    // An expired domain that is added again counts towards the limit again.
    (await add('expiring.acme.com')).refused('domain_limit_reached');
    await driver().setAccount({ plan: 'growth' });
    expect((await add('expiring.acme.com')).as(200, CHANGED_DOMAIN).id).toBe(expiring.id);
  });

  test('4.3: the limit also applies to concurrent requests', async () => {
    await driver().setAccount({ plan: 'free' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => add(`d${n}.acme.com`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers) if (answer.status !== 201) answer.refused('domain_limit_reached');
  });

  test('4.3: Growth and the trial allow 100, and a smaller plan keeps existing domains', async () => {
    await driver().setAccount({ plan: 'growth' });
    await addMany(100);
    const refusal = async () =>
      (await add('one-more.acme.com')).refused('domain_limit_reached').status_detail;
    const common = { used: 100, hostname: 'one-more.acme.com', plans: [SCALE, ENTERPRISE] };
    expect(await refusal()).toEqual({ ...common, plan: 'growth', trial: false, limit: 100 });
    await driver().setAccount({
      plan: 'free',
      trial_ends_at: new Date((await driver().now()) + 1_000).toISOString(),
    });
    expect(await refusal()).toEqual({ ...common, plan: 'free', trial: true, limit: 100 });
    await driver().advance('1s');
    expect(await refusal()).toEqual({ ...common, plan: 'free', trial: false, limit: 3 });
    expect((await add('d7.acme.com')).status).toBe(200);
    await driver().setAccount({ plan: 'scale' });
    await addDomain(live(), 'one-more.acme.com');
  });

  describe('a new account', () => {
    async function bornNow(): Promise<void> {
      await driver().setAccount({ created_at: new Date(await driver().now()).toISOString() });
    }

    test('4.3: adds up to 10 live domains in its first 24 hours', async () => {
      await bornNow();
      await addMany(10);
      const { status_detail } = (await add('one-more.acme.com')).refused('domain_limit_reached');
      expect(status_detail).toMatchObject({
        plan: 'scale',
        trial: false,
        used: 10,
        limit: 10,
        hostname: 'one-more.acme.com',
      });
      expect((await add('d0.acme.com')).status).toBe(200);
      await addDomain(testMode(), 'test.acme.com');
      await driver().advance('23h59m59s');
      (await add('one-more.acme.com')).refused('domain_limit_reached');
      await driver().advance('1s');
      await addDomain(live(), 'one-more.acme.com');
    });

    test('4.3: cannot avoid the limit by deleting domains', async () => {
      await bornNow();
      for (let n = 0; n < 10; n++) {
        const { id } = await addDomain(live(), `d${n}.acme.com`);
        (await live().delete(`/v1/domains/${id}`)).empty();
      }
      (await add('one-more.acme.com')).refused('domain_limit_reached');
    });

    test('4.3: has the limit of its plan too', async () => {
      await bornNow();
      await driver().setAccount({ plan: 'free' });
      await addMany(3);
      const { status_detail } = (await add('one-more.acme.com')).refused('domain_limit_reached');
      expect(status_detail).toMatchObject({ used: 3, limit: 3, plans: [GROWTH, SCALE, ENTERPRISE] });
    });
  });

  describe('the general rate', () => {
    // Matches the header with the rate limits. It lists the key's limit first, then the limits of the app and the account, if any.
    const POLICY = /^"api";q=\d+;w=1(, "app";q=\d+;w=1, "account";q=\d+;w=1)?$/;
    const LEFT = /^"api";r=\d+;t=\d+(, "app";r=\d+;t=\d+, "account";r=\d+;t=\d+)?$/;

    test('8: is shown on every response to a valid key', async () => {
      const { id } = await addDomain(live(), 'careers.acme.com');
      const answers = [
        await live().get('/v1/apps/current'),
        await live().post('/v1/domains', { hostname: 'careers.acme.com' }),
        await live().get('/v1/domains/dom_1'),
        await live().get('/v1/domains?limit=0'),
        await live().send('POST', '/v1/domains', { body: '{' }),
        await testMode().post('/v1/apps/current/signing-secret/rotate'),
        await live().delete(`/v1/domains/${id}`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 422, 400, 403, 204]);
      for (const { headers } of answers) {
        expect(headers.get('ratelimit-policy')).toMatch(POLICY);
        expect(headers.get('ratelimit')).toMatch(LEFT);
      }
    });

    test('8: a key that is used too fast gets 429 with Retry-After, but no other key does', async () => {
      const statuses = new Set<number>();
      for (let rounds = 0; rounds < 30 && !statuses.has(429); rounds++) {
        const answers = await Promise.all(Array.from({ length: 100 }, () => live().get('/v1/apps/current')));
        for (const answer of answers) {
          statuses.add(answer.status);
          if (answer.status !== 429) continue;
          answer.refused('rate_limited');
          expect(answer.headers.get('ratelimit')).toMatch(/^"api";r=0;/);
        }
      }
      expect(statuses).toEqual(new Set([200, 429]));
      expect((await testMode().get('/v1/apps/current')).status).toBe(200);
    });
  });
};
