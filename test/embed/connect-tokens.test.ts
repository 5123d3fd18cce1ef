import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEFAULT_SECRETS } from '../../emulator/state/default-account.ts';
import type { ConnectTokenResource } from '../../shared/schema/api-key.ts';
import { type ConnectUnderTest, connectUnderTest, finding } from '../connect/connect-under-test.ts';
import { contentBlock, kindsOf, readContent, tokenFor } from './tokens.ts';

let underTest: ConnectUnderTest;

beforeAll(async () => {
  underTest = await connectUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

function post(path: string, key: string, body?: object): Promise<Response> {
  return fetch(`${underTest.url}/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe('a connect token for the component', () => {
  test('is valid for an hour, or for as long as the app requests, up to a day', async () => {
    const { id } = await underTest.add('lasting.acme.com');
    const now = underTest.composition.context.clock.now();
    const path = `/domains/${id}/connect-tokens`;
    const created = await post(path, DEFAULT_SECRETS.live_key);
    expect(created.status).toBe(201);
    const token = (await created.json()) as ConnectTokenResource;
    expect(token).toEqual({
      token: expect.stringMatching(/^ct_/),
      domain_id: id,
      expires_at: new Date(now + 3_600_000).toISOString(),
      base_url: underTest.url,
    });
    const short = await post(path, DEFAULT_SECRETS.live_key, { expires_in_s: 60 });
    expect(await short.json()).toMatchObject({ expires_at: new Date(now + 60_000).toISOString() });
    const long = await post(path, DEFAULT_SECRETS.live_key, { expires_in_s: 86_401 });
    expect(long.status).toBe(422);
  });

  test('cannot be created for a domain of the other mode, or without a domain', async () => {
    const { id } = await underTest.add('other-mode.acme.com');
    expect((await post(`/domains/${id}/connect-tokens`, DEFAULT_SECRETS.test_key)).status).toBe(404);
    expect((await post('/domains/dom_unknown/connect-tokens', DEFAULT_SECRETS.live_key)).status).toBe(404);
  });

  test('is refused after its expiry', async () => {
    const { clock } = underTest.composition;
    const { id } = await underTest.add('expiring.acme.com');
    const token = await tokenFor(underTest, id, { expires_in_s: 60 });
    expect((await readContent(underTest, token)).status).toBe(200);
    clock.moveTo(clock.now() + 60_000);
    const refused = await readContent(underTest, token);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: { code: 'unauthorized' } });
  });

  test('is refused once its API key is revoked', async () => {
    const { id } = await underTest.add('revoked.acme.com');
    const made = await post('/keys', DEFAULT_SECRETS.live_key, { name: 'embed', mode: 'live' });
    const key = (await made.json()) as { id: string; key: string };
    const token = await tokenFor(underTest, id, {}, key.key);
    expect((await readContent(underTest, token)).status).toBe(200);
    await fetch(`${underTest.url}/v1/keys/${key.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${DEFAULT_SECRETS.live_key}` },
    });
    expect((await readContent(underTest, token)).status).toBe(401);
  });

  test("gives no access to the API, and an API key gives no access to the component's content", async () => {
    const { id } = await underTest.add('apart.acme.com');
    const token = await tokenFor(underTest, id);
    const asKey = await fetch(`${underTest.url}/v1/domains/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asKey.status).toBe(401);
    expect((await readContent(underTest, DEFAULT_SECRETS.live_key)).status).toBe(401);
  });

  test.each([
    ['an empty token', ''],
    ['a made-up token', 'ct_k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['a token that is too long', `ct_${'a'.repeat(600)}`],
  ])('is refused if it is %s', async (_name, token) => {
    expect((await readContent(underTest, token)).status).toBe(401);
  });

  test('is refused if one character was changed', async () => {
    const { id } = await underTest.add('changed.acme.com');
    const token = await tokenFor(underTest, id);
    const at = token.length - 10;
    const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
    expect((await readContent(underTest, changed)).status).toBe(401);
  });

  test('is the same if the request is repeated with its Idempotency-Key', async () => {
    const { id } = await underTest.add('repeated.acme.com');
    const once = async () => {
      const response = await fetch(`${underTest.url}/v1/domains/${id}/connect-tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${DEFAULT_SECRETS.live_key}`, 'idempotency-key': 'embed-1' },
      });
      return (await response.json()) as ConnectTokenResource;
    };
    expect((await once()).token).toBe((await once()).token);
  });
});

describe('the content of the component', () => {
  test("has the words of the connect page in the visitor's language, but no metadata and no link to that page", async () => {
    const { id, connect_url } = await underTest.add('worded.acme.com', 'live', {
      metadata: { team: 'secret-team' },
    });
    await underTest.see(id, { findings: [finding('dns_record_missing')] });
    const response = await readContent(underTest, await tokenFor(underTest, id), { lang: 'de' });
    const text = await response.text();
    expect(text).toContain('Warten auf Ihren Eintrag');
    expect(text).not.toContain('secret-team');
    expect(text).not.toContain(connect_url.slice(connect_url.lastIndexOf('/') + 1));
    expect(JSON.parse(text)).toMatchObject({ language: 'de', domain: { id, hostname: 'worded.acme.com' } });
  });

  test('follows Accept-Language if the page has no language', async () => {
    const { id } = await underTest.add('negotiated.acme.com');
    const token = await tokenFor(underTest, id);
    const response = await readContent(underTest, token, {}, { 'accept-language': 'fr-CH, en;q=0.5' });
    expect(await response.json()).toMatchObject({ language: 'fr' });
  });

  test('shows a change with the old value, and the steps for the chosen DNS provider', async () => {
    const { id, dns } = await underTest.add('change.acme.com');
    const record = { type: 'CNAME', name: 'change' } as const;
    const target = dns.cname?.value ?? '';
    await underTest.see(id, {
      findings: [
        {
          ...finding('dns_record_mismatch', { type: 'CNAME', name: 'change', found: 'old.example.net' }),
          record,
          changes: [
            {
              ...record,
              action: 'replace',
              value: target,
              zone: 'acme.com',
              ttl: 300,
              of: { ...record, value: 'old.example.net' },
            },
          ],
        },
      ],
    });
    const token = await tokenFor(underTest, id);
    const response = await readContent(underTest, token, { provider: 'godaddy' });
    const content = await response.json();
    const [open, change] = contentBlock(content, 'records').ways;
    expect(change?.records[0]?.fields).toMatchObject([
      { label: 'Type', value: 'CNAME', old: null },
      { label: 'Name', value: 'change', copy: { name: 'Copy the Name to change' } },
      { label: 'Replace', value: null, old: 'old.example.net' },
      { label: 'with', value: target, copy: { label: 'Copy' } },
    ]);
    expect(open?.link?.href).toContain('godaddy.com');
  });

  test('names the reason of a broken domain above the missing record', async () => {
    const { id } = await underTest.add('broken.acme.com');
    await underTest.lead(
      id,
      ['dns_seen', 'dns_confirmed', 'certificate_issued', 'dns_gone'],
      'dns_record_missing',
    );
    await underTest.see(id, { findings: [finding('dns_record_missing')] });
    const content = await (await readContent(underTest, await tokenFor(underTest, id))).json();
    expect(contentBlock(content, 'status').text).toBe('The record is missing');
    expect(kindsOf(content)).toEqual(['head', 'status', 'records', 'checks', 'folds']);
  });

  test('names the fault of a broken domain above the change that fixes it', async () => {
    const { id } = await underTest.add('removed.acme.com');
    await underTest.lead(
      id,
      ['dns_seen', 'dns_confirmed', 'certificate_issued', 'dns_gone'],
      'dns_record_missing',
    );
    const content = await (await readContent(underTest, await tokenFor(underTest, id))).json();
    expect(contentBlock(content, 'status').text).toBe('The record is missing');
    expect(contentBlock(content, 'records').ways).toMatchObject([{}, { title: 'Add this record' }, {}]);
    expect(kindsOf(content)).toEqual(['head', 'status', 'records', 'checks', 'folds']);
  });

  test('is not sent again to a visitor who already has it', async () => {
    const { id } = await underTest.add('same.acme.com');
    const token = await tokenFor(underTest, id);
    const { revision } = (await (await readContent(underTest, token)).json()) as { revision: string };
    expect((await readContent(underTest, token, { revision })).status).toBe(204);
    await underTest.lead(id, ['dns_seen']);
    expect((await readContent(underTest, token, { revision })).status).toBe(200);
  });

  test('says that a deleted domain is no longer connected, and a check of this domain is refused', async () => {
    const { id } = await underTest.add('deleted.acme.com');
    const token = await tokenFor(underTest, id);
    await fetch(`${underTest.url}/v1/domains/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${DEFAULT_SECRETS.live_key}` },
    });
    const content = await (await readContent(underTest, token)).json();
    expect(contentBlock(content, 'status').headline).toBe('This domain is no longer connected');
    expect((await readContent(underTest, token, {}, {}, 'POST')).status).toBe(404);
  });
});

describe('the endpoints of the component', () => {
  test('may be read by pages of any origin, without credentials', async () => {
    const { id } = await underTest.add('cors.acme.com');
    const token = await tokenFor(underTest, id);
    const url = `${underTest.url}/v1/connect`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization');
    for (const response of [
      preflight,
      await readContent(underTest, token),
      await readContent(underTest, ''),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('are the only endpoints that another origin may read', async () => {
    const { headers } = await fetch(`${underTest.url}/v1/apps/current`, {
      headers: { authorization: `Bearer ${DEFAULT_SECRETS.live_key}`, origin: 'https://app.example.com' },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('limit the requests for a domain, without effect on another domain', async () => {
    const { id } = await underTest.add('busy.acme.com');
    const other = await underTest.add('quiet.acme.com');
    const token = await tokenFor(underTest, id);
    const responses = await Promise.all(Array.from({ length: 60 }, () => readContent(underTest, token)));
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await readContent(underTest, await tokenFor(underTest, other.id))).status).toBe(200);
  });

  test('respond with a notice to wait if a visitor checks again too soon', async () => {
    const { id } = await underTest.add('check.acme.com');
    const token = await tokenFor(underTest, id);
    const check = async () => (await readContent(underTest, token, {}, {}, 'POST')).json();
    const allChecked = [await check(), await check()];
    expect(allChecked).toEqual([
      { is_queued: true, notice: expect.stringContaining('checking now') },
      { is_queued: false, notice: expect.stringContaining('15 seconds') },
    ]);
  });
});
