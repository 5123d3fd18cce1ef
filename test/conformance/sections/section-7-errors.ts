import { describe, expect, test } from 'vitest';
import { addDomain, client } from '../client.ts';
import type { Suite } from '../driver.ts';
import { APP, CHANGED_DOMAIN, ERROR_STATUS } from '../resources.ts';

const STATUSES = [
  ...['pending_dns', 'verifying', 'issuing', 'active', 'dns_broken'],
  ...['cert_failed', 'expired', 'held', 'deleted'],
];

/** Tests the errors for refused requests, and the order of the checks (`docs/api.md#errors`). */
export const errors: Suite = (driver) => {
  const live = () => client(driver(), driver().live_key);
  const testMode = () => client(driver(), driver().test_key);
  const JSON_TYPE = { 'content-type': 'application/json' };
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = JSON_TYPE) =>
    live().send('POST', '/v1/domains', { body, headers });

  test('7: every code has its page', async () => {
    const { docs } = (await client(driver(), null).get('/v1/domains')).refused('unauthorized');
    for (const code of Object.keys(ERROR_STATUS)) {
      const page = await fetch(docs.replace(/unauthorized$/, code));
      expect({ code, status: page.status }).toEqual({ code, status: 200 });
      expect(await page.text()).toContain(code);
    }
    expect((await fetch(docs.replace(/unauthorized$/, 'no_such_code'))).status).toBe(404);
  });

  describe('400 invalid_request', () => {
    const UNREADABLE = [
      '',
      ' ',
      '{',
      '{"hostname":}',
      "{'hostname':'a'}",
      '{"a":1}{"b":2}',
      '{"a":1,}',
      'hostname=a',
      'NaN',
      '\ufeff\ufeff{}',
    ];

    test.each(UNREADABLE)('7: the body %j is not JSON', async (body) => {
      (await send(body)).refused('invalid_request');
    });

    test.each(['[]', '"text"', '7', 'null', 'true', '[{"hostname":"careers.acme.com"}]'])(
      '7: the body %s is JSON, but not an object',
      async (body) => {
        (await send(body)).refused('invalid_request');
      },
    );

    test('7: a body that is not UTF-8', async () => {
      const body = Uint8Array.from([...Buffer.from('{"hostname":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
      (await send(body)).refused('invalid_request');
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/jsonx',
      'application/xml',
    ])('7: the content type %s', async (type) => {
      (await send('{"hostname":"careers.acme.com"}', { 'content-type': type })).refused('invalid_request');
    });

    test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ; charset="UTF-8"'])(
      '7: the content type %s is JSON',
      async (type) => {
        const answer = await send('{"hostname":"careers.acme.com"}', { 'content-type': type });
        answer.as(201, CHANGED_DOMAIN);
      },
    );

    test('7: operations without a payload do not read the body', async () => {
      const { id } = await addDomain(live(), 'careers.acme.com');
      const path = `/v1/domains/${id}/verify`;
      expect(
        (await live().send('POST', path, { body: '{', headers: { 'content-type': 'text/plain' } })).status,
      ).toBe(202);
      expect(
        (await live().send('DELETE', `/v1/domains/${id}`, { body: '[', headers: JSON_TYPE })).status,
      ).toBe(204);
    });
  });

  describe('422 validation_failed', () => {
    test.each([
      ['hostname: is required', {}],
      ['hostname: must be a string', { hostname: 7 }],
      ['hostname: must be a string', { hostname: null }],
      ['hostname: must be at most 1024 characters', { hostname: 'a'.repeat(1025) }],
      ['apex_redirect: must be one of none, www', { hostname: 'a.acme.com', apex_redirect: 'yes' }],
      ['origin: must not be empty', { hostname: 'a.acme.com', origin: '' }],
      ['origin: must be a string', { hostname: 'a.acme.com', origin: ['x'] }],
    ])('7: the message about a body can be "%s"', async (message, body) => {
      expect((await live().post('/v1/domains', body)).refused('validation_failed').message).toBe(message);
    });

    test.each([
      ['limit: must be at least 1', 'limit=0'],
      ['limit: must be at most 100', 'limit=101'],
      ['limit: must be a whole number from 1 to 100', 'limit=x'],
      ['cursor: must be at most 200 characters', `cursor=${'x'.repeat(201)}`],
      [`status: must be one of ${STATUSES.join(', ')}`, 'status=gone'],
    ])('7: the message about a query can be "%s"', async (message, query) => {
      expect((await live().get(`/v1/domains?${query}`)).refused('validation_failed').message).toBe(message);
    });

    test('7: names the first ten wrong fields and counts the others', async () => {
      const repeated = (names: number, times: number) =>
        Array.from({ length: names * times }, (_, n) => `k${n % names}=1`).join('&');
      const one = await live().get(`/v1/domains?${repeated(1, 800)}`);
      expect(one.refused('validation_failed')).toMatchObject({
        message: 'k0: is given twice',
        status_detail: { fields: [{ path: 'k0', message: 'is given twice' }] },
      });
      const { message, status_detail } = (await live().get(`/v1/domains?${repeated(400, 2)}`)).refused(
        'validation_failed',
      );
      expect(message).toMatch(/^k0: is given twice; .*; k9: is given twice; and 390 more$/);
      expect(status_detail?.['fields']).toHaveLength(10);
      expect(status_detail?.['omitted']).toBe(390);
    });
  });

  test('7: if a key occurs twice, the last one counts', async () => {
    const body = '{"hostname":"first.acme.com","hostname":"last.acme.com"}';
    expect((await send(body)).as(201, CHANGED_DOMAIN).hostname).toBe('last.acme.com');
  });

  test('7: a body of only brackets is refused like any other', async () => {
    const depth = 50_000;
    (await send('['.repeat(depth) + ']'.repeat(depth))).refused('invalid_request');
    (await send('['.repeat(depth))).refused('invalid_request');
    const deep = `{"hostname":"careers.acme.com","metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
    expect((await send(deep)).faults()).toEqual(['metadata']);
    const ignored = `{"hostname":"careers.acme.com","later":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    expect((await send(ignored)).status).toBe(201);
  });

  describe('8: a body of up to 100 KB', () => {
    const ofBytes = (bytes: number) => {
      const frame = JSON.stringify({ hostname: 'careers.acme.com', later: '' });
      return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    };
    const chunked = (text: string) => new Blob([text]).stream();

    test('8: is accepted, and one byte more is payload_too_large', async () => {
      expect((await send(ofBytes(102_401))).refused('payload_too_large').message).not.toBe('');
      expect((await send(ofBytes(102_400))).status).toBe(201);
    });

    test('8: applies without Content-Length too', async () => {
      const stream = (bytes: number) =>
        live().send('POST', '/v1/domains', { body: chunked(ofBytes(bytes)), headers: JSON_TYPE });
      (await stream(102_401)).refused('payload_too_large');
      expect((await stream(102_400)).status).toBe(201);
    });

    test('8: applies to operations without a payload too', async () => {
      const { id } = await addDomain(live(), 'careers.acme.com');
      const path = `/v1/domains/${id}/verify`;
      (await live().send('POST', path, { body: 'x'.repeat(102_401) })).refused('payload_too_large');
      (
        await live().send('PATCH', `/v1/domains/${id}`, { body: ofBytes(102_401), headers: JSON_TYPE })
      ).refused('payload_too_large');
    });
  });

  describe('the order of checks', () => {
    const BIG = { body: 'x'.repeat(102_401) };

    test('7: path and method, then key', async () => {
      (await client(driver(), null).send('PUT', '/v1/domains', BIG)).refused('not_found');
      (await client(driver(), null).send('POST', '/v1/domains', BIG)).refused('unauthorized');
    });

    test('7: key, then suspension, then permission', async () => {
      const path = '/v1/apps/current/signing-secret/rotate';
      (await testMode().send('POST', path, BIG)).refused('forbidden');
      await driver().setAccount({ suspended: true });
      (await testMode().send('POST', path, BIG)).refused('account_suspended');
    });

    test('7: size, then syntax, then fields', async () => {
      (await live().send('POST', '/v1/domains', BIG)).refused('payload_too_large');
      (await send('{"hostname":7')).refused('invalid_request');
      (await send('{"hostname":7}')).refused('validation_failed');
    });

    test('7: fields, then the resource', async () => {
      (await live().patch('/v1/domains/dom_1', { apex_redirect: 7 })).refused('validation_failed');
      (await live().patch('/v1/domains/dom_1', { metadata: 'x' })).refused('validation_failed');
      (await live().patch('/v1/domains/dom_1', { origin_headers: { Host: 'a' } })).refused(
        'validation_failed',
      );
      (await live().patch('/v1/domains/dom_1', { apex_redirect: 'www' })).refused('not_found');
      (await live().patch('/v1/domains/dom_1', { origin: 'http://10.0.0.1' })).refused('not_found');
    });

    test('7: fields, then plans', async () => {
      await driver().setAccount({ plan: 'free', card_on_file: false });
      (await live().post('/v1/keys', { name: '', mode: 'live' })).refused('validation_failed');
      (await live().patch('/v1/apps/current', { whitelabel_host: 'a.acme.com', name: '' })).refused(
        'validation_failed',
      );
      const refusedFields = async () => {
        const malformed = { hostname: 'd.acme.com', metadata: 'x' };
        (await live().post('/v1/domains', malformed)).refused('validation_failed');
        (await live().post('/v1/domains', { hostname: 'no host' })).refused('invalid_hostname');
      };
      await refusedFields();
      (await live().post('/v1/domains', { hostname: 'd.acme.com' })).refused('live_keys_need_plan');
      await driver().setAccount({ card_on_file: true });
      for (const hostname of ['a.acme.com', 'b.acme.com', 'c.acme.com']) await addDomain(live(), hostname);
      await refusedFields();
      (await live().post('/v1/domains', { hostname: 'd.acme.com' })).refused('domain_limit_reached');
      // The API checks whether the plan allows live keys before it checks the domain limit.
      await driver().setAccount({ card_on_file: false });
      (await live().post('/v1/domains', { hostname: 'd.acme.com' })).refused('live_keys_need_plan');
    });

    test('7: a hold, then the domain limit', async () => {
      await driver().setAccount({ plan: 'free' });
      for (const hostname of ['a.acme.com', 'b.acme.com', 'c.acme.com']) await addDomain(live(), hostname);
      await driver().hold('d.acme.com');
      (await live().post('/v1/domains', { hostname: 'd.acme.com' })).refused('hostname_held');
    });
  });

  test('7: a refused request has no effect', async () => {
    const before = (await live().get('/v1/apps/current')).as(200, APP);
    for (const body of [
      { name: 'x', webhook_url: 1 },
      { name: 'x', origin_url: 'http://10.0.0.1' },
    ]) {
      expect((await live().patch('/v1/apps/current', body)).status).toBe(422);
    }
    expect((await live().get('/v1/apps/current')).as(200, APP)).toEqual(before);
  });
};
