import { describe, expect, test } from 'vitest';
import { addDomain, client, getDomain, within5s } from '../client.ts';
import type { AccountTerms, Suite } from '../driver.ts';
import { API_KEYS, CHANGED_DOMAIN, CREATED_API_KEY, type ErrorCode } from '../resources.ts';

/** Tests API keys, and which accounts may have live keys (`docs/api.md#keys`). */
export const keys: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const create = async (mode: string, name = 'CI') =>
    (await live().post('/v1/keys', { name, mode })).as(201, CREATED_API_KEY);

  test.each(['live', 'test'])('4.2: a new %s key works at once, in its mode', async (mode) => {
    const { key, mode: made } = await create(mode);
    expect(made).toBe(mode);
    expect(key).toMatch(new RegExp(`^sk_${mode}_`));
    expect((await addDomain(client(driver(), key), 'careers.acme.com')).mode).toBe(mode);
  });

  test('4.2: keys are random', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create('test')));
    expect(new Set(made.map(({ key }) => key)).size).toBe(10);
    expect(new Set(made.map(({ id }) => id)).size).toBe(10);
  });

  test('4.2: a live key lists the keys of both modes, a test key sees test keys only', async () => {
    const made = await create('live', 'Mine');
    const all = (await live().get('/v1/keys')).as(200, API_KEYS).data;
    expect(all.map(({ mode }) => mode).sort()).toEqual(['live', 'live', 'test']);
    expect(all.find(({ id }) => id === made.id)?.name).toBe('Mine');
    const seen = (await testMode().get('/v1/keys')).as(200, API_KEYS).data;
    expect(seen.map(({ mode }) => mode)).toEqual(['test']);
  });

  const BAD: [unknown, string[]][] = [
    [{}, ['mode', 'name']],
    [{ name: 'CI' }, ['mode']],
    [{ mode: 'test' }, ['name']],
    [{ name: '', mode: 'test' }, ['name']],
    [{ name: 'x'.repeat(81), mode: 'test' }, ['name']],
    [{ name: null, mode: 'test' }, ['name']],
    [{ name: 7, mode: 'Live' }, ['mode', 'name']],
    [{ name: 'CI', mode: null }, ['mode']],
    [{ name: 'CI', mode: ['test'] }, ['mode']],
    [{ name: 'a\u0000', mode: 'test' }, ['name']],
  ];

  test.each(BAD)('4.2: %j is refused with the names of the wrong fields', async (body, fields) => {
    expect((await live().post('/v1/keys', body)).faults()).toEqual(fields);
  });

  test.each(['x', 'x'.repeat(80), '😀'.repeat(80)])('4.2: accepts the name %j', async (name) => {
    expect((await create('test', name)).name).toBe(name);
  });

  test('4.2: a revoked key stops working within 5 seconds and is no longer listed', async () => {
    const { id, key } = await create('live');
    const revoked = client(driver(), key);
    expect((await revoked.get('/v1/apps/current')).status).toBe(200);
    (await live().delete(`/v1/keys/${id}`)).empty();
    await within5s(async () => {
      (await revoked.get('/v1/apps/current')).refused('unauthorized');
    });
    expect((await live().get('/v1/keys')).text).not.toContain(id);
    (await live().delete(`/v1/keys/${id}`)).refused('not_found');
  });

  test('4.2: a key can revoke itself', async () => {
    const { id, key } = await create('live');
    (await client(driver(), key).delete(`/v1/keys/${id}`)).empty();
    await within5s(async () => {
      (await client(driver(), key).get('/v1/keys')).refused('unauthorized');
    });
  });

  test('4.2: a test key creates and revokes test keys only; a live key is 404 for it', async () => {
    (await testMode().post('/v1/keys', { name: 'CI', mode: 'live' })).refused('forbidden');
    const own = (await testMode().post('/v1/keys', { name: 'CI', mode: 'test' })).as(201, CREATED_API_KEY);
    const { id } = await create('live');
    (await testMode().delete(`/v1/keys/${id}`)).refused('not_found');
    (await testMode().delete(`/v1/keys/${own.id}`)).empty();
    (await live().delete(`/v1/keys/${id}`)).empty();
  });

  test("4.2: fields are checked before a test key's permission", async () => {
    (await testMode().post('/v1/keys', { name: '', mode: 'live' })).refused('validation_failed');
  });

  test('4.2: a live key revokes test keys too', async () => {
    const { id, key } = await create('test');
    (await live().delete(`/v1/keys/${id}`)).empty();
    await within5s(async () => {
      (await client(driver(), key).get('/v1/keys')).refused('unauthorized');
    });
  });

  describe('live keys need a plan', () => {
    const NONE = { trial_ends_at: null, promotional: false, card_on_file: false } as const;
    const TRIAL = { ...NONE, trial_ends_at: '2999-01-01T00:00:00Z' };
    const TERMS: [string, Partial<AccountTerms>, ErrorCode | null][] = [
      ['plain Free', { ...NONE, plan: 'free' }, 'live_keys_need_plan'],
      [
        'Free with an ended trial',
        { ...NONE, plan: 'free', trial_ends_at: '2020-01-01T00:00:00Z' },
        'live_keys_need_plan',
      ],
      ['Free promotional', { ...NONE, plan: 'free', promotional: true }, null],
      ['Free with a card', { ...NONE, plan: 'free', card_on_file: true }, null],
      ['the trial without a card', { ...TRIAL, plan: 'free' }, 'card_required'],
      ['the trial with a card', { ...TRIAL, plan: 'free', card_on_file: true }, null],
      ['Growth', { ...NONE, plan: 'growth' }, null],
      ['Scale', { ...NONE, plan: 'scale' }, null],
      ['Enterprise', { ...NONE, plan: 'enterprise' }, null],
    ];

    test.each(TERMS)('4.2: on %s', async (_, terms, refusedWith) => {
      await driver().setAccount(terms);
      const answer = await live().post('/v1/keys', { name: 'CI', mode: 'live' });
      if (refusedWith === null) answer.as(201, CREATED_API_KEY);
      else answer.refused(refusedWith);
      // The account may always create test keys.
      for (const api of [live(), testMode()]) {
        expect((await api.post('/v1/keys', { name: 'CI', mode: 'test' })).status).toBe(201);
      }
    });

    test.each(TERMS)(
      '4.2: on %s, a live key follows the same rules for adding domains as for adding keys',
      async (_, terms, refusedWith) => {
        const existing = await addDomain(live(), 'existing.acme.com');
        const expired = await addDomain(live(), 'expired.acme.com');
        await driver().trigger(expired.id, 'window_passed');
        await driver().setAccount(terms);
        const add = (hostname: string) => live().post('/v1/domains', { hostname });
        for (const [hostname, status] of [
          ['new.acme.com', 201],
          ['expired.acme.com', 200],
        ] as const) {
          if (refusedWith === null) (await add(hostname)).as(status, CHANGED_DOMAIN);
          else (await add(hostname)).refused(refusedWith);
        }
        // The account may always add test domains, and its existing domains stay.
        await addDomain(testMode(), 'test.acme.com');
        expect((await add('existing.acme.com')).as(200, CHANGED_DOMAIN).id).toBe(existing.id);
        const path = `/v1/domains/${existing.id}`;
        expect((await live().patch(path, { metadata: { a: 'b' } })).status).toBe(200);
        await driver().advanceUntilIdle();
        expect((await getDomain(live(), existing.id)).status).toBe('active');
        (await live().delete(path)).empty();
      },
    );

    test('4.2: a test key that requests a live key is refused before the plan is checked', async () => {
      await driver().setAccount({ ...NONE, plan: 'free' });
      (await testMode().post('/v1/keys', { name: 'CI', mode: 'live' })).refused('forbidden');
    });
  });
};
