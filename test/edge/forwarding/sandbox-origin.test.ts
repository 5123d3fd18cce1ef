import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signOriginRequest } from '../../../shared/core/webhooks/signature.ts';
import { createSandboxOrigin } from '../../../shared/edge/forwarding/sandbox-origin.ts';
import {
  clock,
  edgeWith,
  HOST,
  NAMES,
  NOW_S,
  type OriginUnderTest,
  originWith,
  route,
  SANDBOX,
} from '../edge-under-test.ts';
import { rawVisitor, send } from '../wire/raw-visitor.ts';

const SECRETS: Record<string, string[]> = { dom_1: ['whsec_one'], dom_2: ['whsec_old', 'whsec_new'] };
let sandbox: OriginUnderTest;
const failures: unknown[] = [];

beforeAll(async () => {
  sandbox = await originWith(
    createSandboxOrigin({
      names: NAMES,
      wallClock: clock,
      findDomain: async (domainId) => {
        if (domainId === 'dom_broken') throw new Error('database away');
        const signingSecrets = SECRETS[domainId];
        return signingSecrets ? { signingSecrets, originHeaderNames: ['X-Origin-Secret'] } : null;
      },
      bodyBytesMax: 100_000,
      onFailure: (error) => failures.push(error),
    }),
  );
});
afterAll(() => sandbox[Symbol.asyncDispose]());

const signed = {
  timestampS: NOW_S,
  method: 'GET',
  host: HOST,
  pathAndQuery: '/a?b=c',
  domain_id: 'dom_1',
};

/**
 * Sends a request directly to the sandbox origin, with the headers that the edge would add to `signed`. `headers` replaces some of them.
 */
async function ask(
  change: Record<string, string | null> = {},
  sign: Partial<typeof signed> & { secret?: string } = {},
) {
  const input = { secret: 'whsec_one', ...signed, ...sign };
  const headers: Record<string, string | null> = {
    Host: input.host,
    'X-Service-Domain-Id': input.domain_id,
    'X-Service-App-Id': 'app_1',
    'X-Service-Timestamp': String(input.timestampS),
    'X-Service-Signature': signOriginRequest(input),
    ...change,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return send(sandbox.port, `GET /a?b=c HTTP/1.1\r\n${lines.join('')}\r\n`);
}

it('the sandbox origin shows a request that came through the edge, and verifies its signature', async () => {
  await using edge = await edgeWith({ [HOST]: route(SANDBOX) }, { sandboxOrigin: sandbox.url });
  const answer = await send(
    edge.port,
    `POST /a?b=c HTTP/1.1\r\nHost: ${HOST}\r\nX-A: b\r\nX-A: c\r\nContent-Length: 3\r\n\r\nabc`,
  );
  const echo = JSON.parse(answer.body);
  expect(answer.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept' });
  expect(echo).toMatchObject({
    method: 'POST',
    host: HOST,
    path: '/a?b=c',
    body_bytes: 3,
    body_cut: false,
    domain_id: 'dom_1',
    app_id: 'app_1',
    signature: { verified: true, reason: null },
  });
  expect(echo.headers).toEqual(
    expect.arrayContaining([
      ['X-A', 'b'],
      ['X-A', 'c'],
      ['X-Forwarded-For', '127.0.0.1'],
    ]),
  );
});

describe('the sandbox origin hides values that only the app may know', () => {
  const HEADERS = { 'X-Origin-Secret': 'swordfish' };
  const asked = (accept: string) =>
    `GET /a HTTP/1.1\r\nHost: ${HOST}\r\nX-A: shown\r\nAccept: ${accept}\r\n\r\n`;
  const shown = (name: string, value: string, accept: string) =>
    accept === 'text/html' ? `<th scope="row">${name}</th><td>${value}</td>` : `"${name}",\n      "${value}"`;

  it.each(['application/json', 'text/html'])(
    'from a visitor of a domain without an origin, in %s',
    async (accept) => {
      const to = route(SANDBOX, { origin_headers: HEADERS });
      await using edge = await edgeWith({ [HOST]: to }, { sandboxOrigin: sandbox.url });
      const { status, body } = await send(edge.port, asked(accept));
      expect(status).toBe(200);
      expect(body).not.toMatch(/swordfish|v1=/);
      expect(body).toContain(shown('X-Origin-Secret', '[hidden]', accept));
      expect(body).toContain(shown('X-Service-Signature', '[hidden]', accept));
      expect(body).toContain(shown('X-A', 'shown', accept));
      expect(body).toMatch(accept === 'text/html' ? '<strong>verified</strong>' : '"verified": true');
    },
  );

  it.each(['application/json', 'text/html'])(
    'if an app names the sandbox as its own origin, in %s',
    async (accept) => {
      await using edge = await edgeWith({ [HOST]: route(sandbox.url, { origin_headers: HEADERS }) });
      const { status, body } = await send(edge.port, asked(accept));
      expect(status).toBe(200);
      expect(body).not.toMatch(/swordfish|v1=/);
      expect(body).toContain(shown('X-Origin-Secret', '[hidden]', accept));
    },
  );
});

it('an app cannot reach the sandbox origin by setting its address as the origin', async () => {
  const routes = { [HOST]: route(SANDBOX), 'jobs.acme.com': route(sandbox.url) };
  await using edge = await edgeWith(routes, {
    sandboxOrigin: sandbox.url,
    refusedAddresses: ['127.0.0.1'],
  });
  expect((await send(edge.port, `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`)).status).toBe(200);
  expect((await send(edge.port, 'GET / HTTP/1.1\r\nHost: jobs.acme.com\r\n\r\n')).status).toBe(502);
});

describe('the sandbox origin checks the signature', () => {
  it.each([
    ['of the only secret', {}],
    ['of the previous secret', { secret: 'whsec_old', domain_id: 'dom_2' }],
    ['of the new secret', { secret: 'whsec_new', domain_id: 'dom_2' }],
    ['of 300 seconds ago', { timestampS: NOW_S - 300 }],
    ['of 300 seconds ahead', { timestampS: NOW_S + 300 }],
  ])('accepts a signature %s', async (_, sign) => {
    expect(JSON.parse((await ask({}, sign)).body).signature).toEqual({ verified: true, reason: null });
  });

  it.each<[string, string, Record<string, string | null>, Partial<typeof signed> & { secret?: string }]>([
    ['missing', 'not_signed', { 'X-Service-Signature': null }, {}],
    ['without a domain', 'not_signed', { 'X-Service-Domain-Id': null }, {}],
    ['without a timestamp', 'not_signed', { 'X-Service-Timestamp': null }, {}],
    ['sent twice', 'not_signed', { 'x-service-signature': 'v1=00' }, {}],
    ['with a non-numeric timestamp', 'malformed_header', { 'X-Service-Timestamp': '1e9' }, {}],
    ['with an overlong timestamp', 'malformed_header', { 'X-Service-Timestamp': '1'.repeat(13) }, {}],
    ['of another secret', 'no_match', {}, { secret: 'whsec_two' }],
    ['of another domain', 'no_match', { 'X-Service-Domain-Id': 'dom_2' }, {}],
    ['of a domain that does not exist', 'unknown_domain', {}, { domain_id: 'dom_3' }],
    ['of another path', 'no_match', {}, { pathAndQuery: '/' }],
    ['of another method', 'no_match', {}, { method: 'POST' }],
    ['of another host', 'no_match', { Host: 'evil.example' }, {}],
    ['of another time', 'no_match', { 'X-Service-Timestamp': String(NOW_S - 1) }, {}],
    ['that is truncated', 'no_match', { 'X-Service-Signature': 'v1=' }, {}],
    ['of 301 seconds ago', 'timestamp_too_old', {}, { timestampS: NOW_S - 301 }],
    ['of 301 seconds ahead', 'timestamp_in_future', {}, { timestampS: NOW_S + 301 }],
  ])('refuses a signature that is %s', async (_, reason, change, sign) => {
    expect(JSON.parse((await ask(change, sign)).body).signature).toEqual({ verified: false, reason });
  });
});

describe("the sandbox origin's response", () => {
  it.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['application/json, text/html', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
  ])('to a request with Accept: %s is %s', async (accept, type) => {
    expect((await ask({ Accept: accept })).headers['content-type']).toBe(type);
  });

  it('escapes every value in a page, and forbids framing', async () => {
    const { body, headers } = await ask({ Accept: 'text/html', 'X-A': `"><script>alert('&')</script>` });
    expect(body).not.toContain('<script>');
    expect(body).toContain('&#34;&#62;&#60;script&#62;alert(&#39;&#38;&#39;)&#60;/script&#62;');
    expect(body).toContain('<strong>verified</strong>');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
  });

  it('states how many bytes the request body had, up to a limit', async () => {
    const post = (length: number) =>
      `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${length}\r\n\r\n${'a'.repeat(length)}`;
    expect(JSON.parse((await send(sandbox.port, post(100_000))).body)).toMatchObject({
      body_bytes: 100_000,
      body_cut: false,
    });
    using visitor = await rawVisitor(sandbox.port);
    visitor.write(post(100_001));
    const text = await visitor.ended();
    expect(text).toContain('"body_bytes": 100000,');
    expect(text).toContain('"body_cut": true');
    expect(text).toMatch(/^Connection: close\r$/m);
  });

  it('has no body for a HEAD request', async () => {
    using visitor = await rawVisitor(sandbox.port);
    visitor.write(`HEAD / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    expect(await visitor.ended()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/);
  });

  it("is 500 if the app's secrets cannot be read, and the failure is reported", async () => {
    const answer = await ask({}, { domain_id: 'dom_broken' });
    expect(answer).toMatchObject({ status: 500, body: '' });
    expect(failures).toMatchObject([{ message: 'database away' }]);
  });
});
