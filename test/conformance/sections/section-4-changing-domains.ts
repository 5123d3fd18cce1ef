import { describe, expect, test } from 'vitest';
import { addDomain, client, eventsOf, getDomain } from '../client.ts';
import type { Plan, Suite } from '../driver.ts';
import { startReceiver } from '../receiver.ts';
import { APP, CHANGED_DOMAIN, DOMAINS, EVENTS } from '../resources.ts';

/** Tests creates and updates of a domain (`docs/api.md#domains`). If a rule applies to creates and updates, tests both. */
export const changingDomains: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);

  /** Sends the same fields in a create and in an update of an existing domain. */
  async function bothWays(fields: object) {
    const { id } = await addDomain(live(), 'there.com');
    return [
      await live().post('/v1/domains', { hostname: 'new.com', ...fields }),
      await live().patch(`/v1/domains/${id}`, fields),
    ] as const;
  }

  async function accepted(fields: object): Promise<void> {
    const [created, updated] = await bothWays(fields);
    expect(created.as(201, CHANGED_DOMAIN)).toMatchObject(fields);
    expect(updated.as(200, CHANGED_DOMAIN)).toMatchObject(fields);
  }

  async function refused(fields: object, path: string): Promise<void> {
    for (const answer of await bothWays(fields)) {
      const matching = expect.stringMatching(new RegExp(`^${path}(\\.|$)`));
      expect(answer.faults()).toContainEqual(matching);
    }
    expect((await live().get('/v1/domains')).as(200, DOMAINS).data).toHaveLength(1);
  }

  test('4.3: one response names every wrong field, whichever check finds it', async () => {
    const { id } = await addDomain(live(), 'acme.com');
    const answer = await live().patch(`/v1/domains/${id}`, {
      apex_redirect: 'sideways',
      metadata: { long: 'x'.repeat(5000) },
      origin_headers: { 'Not-Ours': 'a' },
    });
    expect(answer.faults().sort()).toEqual(['apex_redirect', 'metadata', 'origin_headers.Not-Ours']);
  });

  test('4.3: 50 concurrent requests for one hostname: one 201, 49 times 200, one domain, one event', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => live().post('/v1/domains', { hostname: 'careers.acme.com' })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array.from({ length: 49 }, () => 200), 201]);
    const ids = new Set(answers.map((answer) => answer.as(answer.status, CHANGED_DOMAIN).id));
    expect(ids.size).toBe(1);
    expect((await live().get('/v1/events')).as(200, EVENTS).data).toHaveLength(1);
  });

  test('4.3: a hostname that the app already has responds with 200 and ignores the other fields, with a warning', async () => {
    const created = await addDomain(live(), 'careers.acme.com', { metadata: { a: 1 } });
    const body = { hostname: 'careers.acme.com', metadata: { b: 2 }, origin_headers: { 'X-A': 'b' } };
    const { warnings, ...again } = (await live().post('/v1/domains', body)).as(200, CHANGED_DOMAIN);
    expect(again).toEqual(created);
    expect(warnings?.map(({ code }) => code)).toEqual(['existing_domain_unchanged']);
    expect(await getDomain(live(), created.id)).toEqual(created);
    expect(await eventsOf(live(), created.id)).toHaveLength(1);
  });

  test('4.3: fields outside the contract do not cause that warning', async () => {
    await addDomain(live(), 'careers.acme.com');
    const again = await live().post('/v1/domains', { hostname: 'careers.acme.com', later: 1 });
    const { warnings = [] } = again.as(200, CHANGED_DOMAIN);
    expect(warnings.map(({ code }) => code)).toEqual(['unknown_field_ignored']);
  });

  test('4.3: a hostname that the app has in the other mode is validation_failed', async () => {
    await addDomain(live(), 'live.acme.com');
    await addDomain(testMode(), 'test.acme.com');
    const other = await testMode().post('/v1/domains', { hostname: 'live.acme.com' });
    expect(other.faults()).toEqual(['hostname']);
    (await live().post('/v1/domains', { hostname: 'test.acme.com' })).refused('validation_failed');
  });

  test('4.3: two apps can each have the same hostname', async () => {
    const other = await driver().createApp({ name: 'Other' });
    const ours = await addDomain(live(), 'careers.acme.com');
    const theirs = await addDomain(client(driver(), other.live_key), 'careers.acme.com');
    expect(theirs.id).not.toBe(ours.id);
    expect(theirs.dns.cname?.value).not.toBe(ours.dns.cname?.value);
  });

  describe('metadata', () => {
    /** Returns metadata whose compact JSON `{"a":"…"}` has this size in bytes of UTF-8. The value has 3-byte characters. */
    const ofBytes = (bytes: number) => {
      const room = bytes - '{"a":""}'.length;
      return { a: '漢'.repeat(Math.floor(room / 3)) + 'x'.repeat(room % 3) };
    };
    const nested = (levels: number) =>
      JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as object;
    const odd = JSON.parse(
      '{"__proto__":"p","constructor":"c","toString":"t","":"empty","a.b":"dot","😀":"e","n":null,"l":[1,"2",{}],"o":{"__proto__":{"x":1}},"f":1.5,"b":false}',
    ) as object;

    test('4.3: may be 4096 bytes of UTF-8, not 4097', async () => {
      expect(new TextEncoder().encode(JSON.stringify(ofBytes(4096)))).toHaveLength(4096);
      await accepted({ metadata: ofBytes(4096) });
      await driver().reset();
      await refused({ metadata: ofBytes(4097) }, 'metadata');
    });

    test('4.3: is any JSON object, and is returned as sent, whatever its keys', async () => {
      for (const metadata of [{}, odd, nested(20)]) {
        const [created, updated] = await bothWays({ metadata });
        const sent = JSON.stringify(metadata);
        expect(JSON.stringify(created.as(201, CHANGED_DOMAIN).metadata)).toBe(sent);
        expect(JSON.stringify(updated.as(200, CHANGED_DOMAIN).metadata)).toBe(sent);
        await driver().reset();
      }
    });

    test.each([['text'], [7], [true], [[]], [[{ a: 1 }]]])('4.3: may not be %j', async (metadata) => {
      await refused({ metadata }, 'metadata');
    });

    test.each([
      ['U+0000', { a: 'b\u0000c' }],
      ['half a surrogate pair', { 'a\udc00': 'b' }],
      ['hundreds of levels', nested(300)],
    ])('4.3: may not hold %s', async (_, metadata) => {
      await refused({ metadata }, 'metadata');
    });

    test('4.3: PATCH replaces the whole object, and null removes it', async () => {
      const { id } = await addDomain(live(), 'careers.acme.com', { metadata: { a: 1, b: 2 } });
      const set = async (metadata: object | null) =>
        (await live().patch(`/v1/domains/${id}`, { metadata })).as(200, CHANGED_DOMAIN).metadata;
      expect(await set({ c: 3 })).toEqual({ c: 3 });
      expect(await set(null)).toBeNull();
      expect((await addDomain(live(), 'null.acme.com', { metadata: null })).metadata).toBeNull();
    });
  });

  describe('origin_headers', () => {
    test('4.3: are up to five, with names and values of any allowed form', async () => {
      const values = ['a', 'spaced out', '"quoted"; <b>', 'x'.repeat(1024), '~!@#$%^&*()'];
      const originHeaders = Object.fromEntries(values.map((value, index) => [`X-Header-${index}`, value]));
      await accepted({ origin_headers: originHeaders });
    });

    test.each([
      [{ 'X-1': 'a', 'X-2': 'a', 'X-3': 'a', 'X-4': 'a', 'X-5': 'a', 'X-6': 'a' }],
      [{ Host: 'evil.com' }],
      [{ Authorization: 'a' }],
      [{ 'X-': 'a' }],
      [{ X: 'a' }],
      [{ '': 'a' }],
      [{ 'X-A B': 'a' }],
      [{ 'X-A:': 'a' }],
      [{ 'X-Ü': 'a' }],
      [{ 'X-A\r\nEvil': 'a' }],
      [{ 'X-Team': 'a', 'X-TEAM': 'b' }],
      [{ 'X-Service-Domain-Id': 'dom_1' }],
      [{ 'X-SERVICE-signature': 'v1=0' }],
      [{ 'X-Forwarded-Proto': 'http' }],
      [{ 'X-Forwarded-For': '127.0.0.1' }],
      [{ 'X-A': '' }],
      [{ 'X-A': ' spaced ' }],
      [{ 'X-A': 'a\r\nX-Evil: 1' }],
      [{ 'X-A': 'a\nb' }],
      [{ 'X-A': 'a\tb' }],
      [{ 'X-A': 'a\u0000b' }],
      [{ 'X-A': 'ü' }],
      [{ 'X-A': 'x'.repeat(1025) }],
      [{ 'X-A': 1 }],
      [{ 'X-A': null }],
      [{ 'X-A': ['a'] }],
      [['X-A: a']],
      ['X-A: a'],
      [7],
    ])('4.3: may not be %j', async (originHeaders) => {
      await refused({ origin_headers: originHeaders }, 'origin_headers');
    });

    test('4.3: are replaced, and cleared by null or {}', async () => {
      for (const cleared of [null, {}]) {
        const { id } = await addDomain(live(), 'careers.acme.com', { origin_headers: { 'X-A': 'a' } });
        const set = async (originHeaders: object | null) =>
          (await live().patch(`/v1/domains/${id}`, { origin_headers: originHeaders })).as(200, CHANGED_DOMAIN)
            .origin_headers;
        expect(await set({ 'X-B': 'b' })).toEqual({ 'X-B': 'b' });
        expect(await set(cleared)).toBeNull();
        expect(
          (await addDomain(live(), 'new.acme.com', { origin_headers: cleared })).origin_headers,
        ).toBeNull();
        await driver().reset();
      }
    });
  });

  describe('apex_redirect', () => {
    test('4.3: is for apex domains; none on a subdomain is allowed and has no effect', async () => {
      await accepted({ apex_redirect: 'www' });
      const { id } = await addDomain(live(), 'careers.acme.com', { apex_redirect: 'none' });
      (await live().patch(`/v1/domains/${id}`, { apex_redirect: 'none' })).as(200, CHANGED_DOMAIN);
      (await live().patch(`/v1/domains/${id}`, { apex_redirect: 'www' })).refused('validation_failed');
      const body = { hostname: 'jobs.acme.com', apex_redirect: 'www' };
      (await live().post('/v1/domains', body)).refused('validation_failed');
    });

    test.each([['apex'], [null], [1], [['www']]])('4.3: may not be %j', async (apexRedirect) => {
      await refused({ apex_redirect: apexRedirect }, 'apex_redirect');
    });
  });

  describe('origin', () => {
    test('4.3: overrides the origin of one domain, and null removes it', async () => {
      await using receiver = await startReceiver();
      await accepted({ origin: receiver.url });
      const { data } = (await live().get('/v1/domains')).as(200, DOMAINS);
      const id = data[0]?.id;
      const { origin } = (await live().patch(`/v1/domains/${id}`, { origin: null })).as(200, CHANGED_DOMAIN);
      expect(origin).toBeNull();
    });

    test.each([
      'http://acme.com',
      'https://10.0.0.1',
      'https://acme.com/path',
      'acme.com',
      'https://a.acme.com@x',
    ])('4.3: may not be %s', async (origin) => {
      for (const answer of await bothWays({ origin })) answer.refused('origin_not_allowed');
    });

    test.each([[1], [''], [{}], [`https://acme.com/${'x'.repeat(2032)}`]])(
      '4.3: is a string of at most 2048 characters, not %j',
      async (origin) => {
        await refused({ origin }, 'origin');
      },
    );

    const PLANS: [Plan, boolean][] = [
      ['free', false],
      ['growth', false],
      ['scale', true],
      ['enterprise', true],
    ];

    test.each(PLANS)(
      '4.3: on %s an origin per domain is accepted: %s; otherwise it is ignored with a warning',
      async (plan, has) => {
        await using receiver = await startReceiver();
        await driver().setAccount({ plan });
        const changed = await bothWays({ origin: receiver.url });
        for (const answer of changed) {
          const { origin, warnings } = answer.as(answer.status, CHANGED_DOMAIN);
          expect(origin).toBe(has ? receiver.url : null);
          expect(warnings?.map(({ code }) => code)).toEqual(has ? undefined : ['origin_ignored_by_plan']);
        }
        expect(changed.map(({ status }) => status)).toEqual([201, 200]);
      },
    );
  });

  test('4.3: an update changes updated_at and the given fields, and nothing else; it emits no event', async () => {
    const { id } = await addDomain(live(), 'acme.com', { metadata: { a: 1 } });
    await driver().advance('1m');
    const before = await getDomain(live(), id);
    const events = await eventsOf(live(), id);
    await driver().advance('1s');
    const changed = (await live().patch(`/v1/domains/${id}`, { apex_redirect: 'www' })).as(
      200,
      CHANGED_DOMAIN,
    );
    const updatedAt = new Date(await driver().now()).toISOString();
    const { whitelabel_target: value } = (await live().get('/v1/apps/current')).as(200, APP);
    const dns = {
      ...before.dns,
      apex: { ...before.dns.apex, www: { name: 'www', value } },
      www_acme_challenge: before.dns.acme_challenge && {
        name: '_acme-challenge.www',
        value: before.dns.acme_challenge.value,
      },
    };
    expect(changed).toEqual({ ...before, apex_redirect: 'www', dns, updated_at: updatedAt });
    expect(await getDomain(live(), id)).toEqual(changed);
    expect(await eventsOf(live(), id)).toEqual(events);
  });

  test('4.3: every wrong field is named at once', async () => {
    const body = { hostname: 7, metadata: 'x', apex_redirect: 'no', origin: 1, origin_headers: 'x' };
    expect((await live().post('/v1/domains', body)).faults()).toEqual(Object.keys(body).sort());
  });
};
