import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from './emulator-under-test.ts';

let under_test: EmulatorUnderTest;
let port: number;

beforeAll(async () => {
  under_test = await emulatorUnderTest();
  port = Number(new URL(under_test.emulator.url).port);
});
afterAll(() => under_test[Symbol.asyncDispose]());

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  to_port?: number;
}

/** As a browser could be made to send it: any Host, any Origin. */
function send({ method = 'GET', path = '/_emulator/status', headers, body, to_port = port }: Call) {
  return new Promise<{ status: number | undefined; body: string; cors: string[] }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: to_port, method, path, headers }, async (response) =>
      resolve({
        status: response.statusCode,
        body: await text(response),
        cors: Object.keys(response.headers).filter((name) => name.startsWith('access-control-')),
      }),
    );
    sent.on('error', reject).end(body);
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the Host', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])('%s with our port is ours', async (name) => {
    expect((await send({ headers: { host: `${name}:${port}` } })).status).toBe(200);
  });

  test.each([
    ['a name that was rebound to loopback', () => `rebound.example:${port}`],
    ['our name with another port', () => `localhost:${port === 1 ? 2 : 1}`],
    ['our name without a port', () => 'localhost'],
    ['a name that ends in ours', () => `evil.localhost:${port}`],
    ['a name that starts with ours', () => `127.0.0.1.nip.example:${port}`],
    ['another loopback address', () => `127.0.0.2:${port}`],
  ])('%s is 421, on the control surface and on the API alike', async (_, host) => {
    for (const path of ['/_emulator/status', '/v1/domains', '/v1/openapi.json', '/docs', '/nothing']) {
      const { status, body } = await send({ path, headers: { host: host() } });
      expect({ path, status }).toEqual({ path, status: 421 });
      expect(body).not.toContain('sk_test_');
    }
  });
});

describe('the Origin', () => {
  test('of our own pages, or none, is let in', async () => {
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
      expect((await send({ headers: { origin } })).status).toBe(200);
    }
    expect((await send({})).status).toBe(200);
  });

  test.each([
    ['another site', () => 'https://evil.example'],
    ['a sandboxed frame', () => 'null'],
    ['another port of this machine', () => 'http://localhost:1'],
    ['ours over TLS', () => `https://localhost:${port}`],
    ['a name that ends in ours', () => `http://evil.localhost:${port}`],
    ['nothing at all', () => ''],
  ])('of %s is 403 for every call, before anything is done', async (_, origin) => {
    const headers = { ...JSON_TYPE, origin: origin() };
    for (const call of [
      { path: '/_emulator/status' },
      { path: '/_emulator/export' },
      { path: '/v1/domains' },
      { method: 'POST', path: '/_emulator/apps', body: '{"name":"forged"}' },
      { method: 'POST', path: '/_emulator/reset' },
      { method: 'DELETE', path: '/_emulator/holds/acme.com' },
      { method: 'OPTIONS', path: '/_emulator/reset' },
    ]) {
      const { status, cors } = await send({ ...call, headers });
      expect({ ...call, status, cors }).toEqual({ ...call, status: 403, cors: [] });
    }
  });

  test('gets no CORS header where it is ours either', async () => {
    const { cors } = await send({ headers: { origin: `http://localhost:${port}` } });
    expect(cors).toEqual([]);
  });
});

describe('the body', () => {
  const post = (content_type: string | null, body: string) =>
    send({
      method: 'POST',
      path: '/_emulator/apps',
      headers: content_type === null ? {} : { 'content-type': content_type },
      body,
    });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'sent as %s, which a page may send without asking, is 400',
    async (content_type) => {
      expect((await post(content_type, '{"name":"forged"}')).status).toBe(400);
      expect((await post(content_type, '')).status).toBe(400);
    },
  );

  test.each(['', '{', '[]', 'null', '"text"', '{"name":"\xff'])('%j as JSON is 400', async (body) => {
    expect((await post('application/json', body)).status).toBe(400);
  });

  test('without a content type is 400, and no body at all is an empty object', async () => {
    expect((await post(null, '{"name":"forged"}')).status).toBe(400);
    expect((await post(null, '')).status).toBe(422);
    expect((await send({ method: 'POST', path: '/_emulator/reset' })).status).toBe(200);
  });

  test('with a key that is not known is 422 and names it', async () => {
    const { status, body } = await post('application/json; charset=utf-8', '{"name":"Acme","pln":"free"}');
    expect(status).toBe(422);
    expect(body).toContain('pln');
  });
});

test('the edge never serves the control surface, whatever the Host', async () => {
  const to_port = Number(new URL(under_test.emulator.edge_url).port);
  for (const host of [`localhost:${to_port}`, `127.0.0.1:${to_port}`, `localhost:${port}`, 'acme.com']) {
    const { status, body } = await send({ to_port, headers: { host } });
    expect(status).toBe(404);
    expect(body).not.toContain('sk_test_');
  }
});

test('what is not there is 404 in the envelope', async () => {
  for (const call of [
    { path: '/_emulator' },
    { path: '/_emulator/nothing' },
    { method: 'DELETE', path: '/_emulator/status' },
    { method: 'PUT', path: '/_emulator/reset', headers: JSON_TYPE, body: '{}' },
  ]) {
    const { status, body } = await send(call);
    expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 404, code: 'not_found' });
  }
});
