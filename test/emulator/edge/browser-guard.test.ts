import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;
let port: number;

beforeAll(async () => {
  underTest = await emulatorUnderTest();
  port = Number(new URL(underTest.emulator.url).port);
});
afterAll(() => underTest[Symbol.asyncDispose]());

interface Call {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  toPort?: number;
}

/** Sends a request with any Host and Origin header, like a browser under the control of an attacker. */
function send({ method = 'GET', path = '/_emulator/status', headers, body, toPort = port }: Call) {
  return new Promise<{ status: number | undefined; body: string; cors: string[] }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: toPort, method, path, headers }, async (response) =>
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

describe('the emulator checks the Host of a request', () => {
  test.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST', '127.0.0.2', '192.0.2.7', '[2001:db8::1]'])(
    'accepts %s with any port or none, because DNS rebinding cannot produce this Host',
    async (name) => {
      for (const host of [`${name}:${port}`, `${name}:1`, name]) {
        expect({ host, status: (await send({ headers: { host } })).status }).toEqual({ host, status: 200 });
      }
    },
  );

  test.each([
    ['a name that was rebound to loopback', () => `rebound.example:${port}`],
    ['a public name without a port', () => 'rebound.example'],
    ['a single-label name, which a hostile network could rebind', () => `nameplate:${port}`],
    ['the name that Docker gives the host machine', () => `host.docker.internal:${port}`],
    ['a name that ends in an allowed one', () => `evil.localhost:${port}`],
    ['a name that starts with an allowed one', () => `127.0.0.1.nip.example:${port}`],
    ['an invalid name', () => 'a b<c>'],
  ])('refuses %s with 403, on the control API and on the API', async (_, host) => {
    for (const path of ['/_emulator/status', '/v1/domains', '/v1/openapi.json', '/docs', '/nothing']) {
      const { status, body } = await send({ path, headers: { host: host() } });
      expect({ path, status }).toEqual({ path, status: 403 });
      expect(body).not.toContain('sk_test_');
    }
  });
});

test('the emulator explains its error for a foreign Host', async () => {
  const { body } = await send({ path: '/v1/domains', headers: { host: 'nameplate:5330' } });
  expect(JSON.parse(body).error).toEqual({
    code: 'forbidden',
    message: 'The emulator does not accept the Host nameplate.',
    fix: 'Start the emulator with --allow-host nameplate, or use localhost or an IP address.',
    docs: `${underTest.emulator.url}/docs/errors/forbidden`,
  });
});

test('the emulator accepts a name that --allow-host permits, and the Origin of pages at this name', async () => {
  await using other = await emulatorUnderTest({ allowedHosts: ['Host.Docker.internal'] });
  const toPort = Number(new URL(other.emulator.url).port);
  const statusOf = async (headers: Record<string, string>) => (await send({ toPort, headers })).status;
  const host = 'host.docker.internal:5330';
  expect(await statusOf({ host })).toBe(200);
  expect(await statusOf({ host, origin: `http://${host}` })).toBe(200);
  expect(await statusOf({ host, origin: 'http://localhost:5330' })).toBe(403);
  expect(await statusOf({ host, origin: 'http://host.docker.internal:81' })).toBe(403);
  expect(await statusOf({ host: 'evil.host.docker.internal' })).toBe(403);
});

test('an emulator that listens on a network address accepts container names in Host, but no public names', async () => {
  await using other = await emulatorUnderTest({ listen: '0.0.0.0' });
  const toPort = Number(new URL(other.emulator.url).port);
  expect(other.emulator.url).toBe(`http://127.0.0.1:${toPort}`);
  const statusOf = async (headers: Record<string, string>) => (await send({ toPort, headers })).status;
  for (const name of ['nameplate', 'my_app-1']) {
    expect(await statusOf({ host: `${name}:5330` })).toBe(200);
    expect(await statusOf({ host: `${name}:5330`, origin: `http://${name}:5330` })).toBe(200);
    expect(await statusOf({ host: `${name}:5330`, origin: 'http://web:5330' })).toBe(403);
  }
  expect(await statusOf({ host: `rebound.example:${toPort}` })).toBe(403);
  expect(await statusOf({ host: 'nameplate.' })).toBe(403);
});

describe('the emulator checks the Origin of a request', () => {
  test("accepts the emulator's own pages, and requests without an Origin", async () => {
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`]) {
      expect((await send({ headers: { origin } })).status).toBe(200);
    }
    expect((await send({})).status).toBe(200);
  });

  test.each([
    ['another site', () => 'https://evil.example'],
    ['a sandboxed frame', () => 'null'],
    ['another port of this machine', () => 'http://localhost:1'],
    ['our own origin over TLS', () => `https://localhost:${port}`],
    ['a name that ends in an allowed one', () => `http://evil.localhost:${port}`],
    ['an empty Origin', () => ''],
  ])('refuses the Origin of %s with 403 for every call, before the call has an effect', async (_, origin) => {
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

  test('never adds a CORS header, even for our own Origin', async () => {
    const { cors } = await send({ headers: { origin: `http://localhost:${port}` } });
    expect(cors).toEqual([]);
  });
});

describe('a form of the connect page may come from our own pages', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  /**
   * Adds a live domain to an emulator with a container name. Returns the form of its connect page, as a browser in the container network
   * sends it.
   */
  async function formOf(other: EmulatorUnderTest) {
    const toPort = Number(new URL(other.emulator.url).port);
    const authorization = `Bearer ${other.emulator.keys.live}`;
    const body = '{"hostname":"careers.acme.com"}';
    const added = await send({
      toPort,
      method: 'POST',
      path: '/v1/domains',
      headers: { ...JSON_TYPE, authorization },
      body,
    });
    const { pathname } = new URL(JSON.parse(added.body).connect_url);
    return (headers: Record<string, string>, path = `${pathname}/check`) =>
      send({
        toPort,
        method: 'POST',
        path,
        headers: { ...FORM, host: `nameplate:${toPort}`, ...headers },
      }).then(({ status }) => status);
  }

  test('the form is accepted with the Origin null, because browsers send no Sec-Fetch-Site to a container name', async () => {
    await using other = await emulatorUnderTest({ listen: '0.0.0.0' });
    const submit = await formOf(other);
    expect(await submit({ origin: 'null' })).toBe(303);
    expect(await submit({ origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(303);
    expect(await submit({ origin: 'null', 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await submit({ origin: 'https://evil.example' })).toBe(403);
    expect(await submit({ origin: 'null', host: 'rebound.example' })).toBe(403);
  });

  test('no other request may have the Origin null', async () => {
    await using other = await emulatorUnderTest({ listen: '0.0.0.0' });
    const submit = await formOf(other);
    for (const path of [
      '/_emulator/reset',
      '/connect/../_emulator/reset',
      '/connect/%2e%2e/_emulator/reset',
    ]) {
      expect({ path, status: await submit({ origin: 'null' }, path) }).toEqual({ path, status: 403 });
    }
  });
});

describe('the control API validates the body of a request', () => {
  const post = (contentType: string | null, body: string) =>
    send({
      method: 'POST',
      path: '/_emulator/apps',
      headers: contentType === null ? {} : { 'content-type': contentType },
      body,
    });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'the content type %s, which a page may send without a preflight, gets 400',
    async (contentType) => {
      expect((await post(contentType, '{"name":"forged"}')).status).toBe(400);
      expect((await post(contentType, '')).status).toBe(400);
    },
  );

  test.each(['', '{', '[]', 'null', '"text"', '{"name":"\xff'])(
    'the body %j sent as JSON gets 400',
    async (body) => {
      expect((await post('application/json', body)).status).toBe(400);
    },
  );

  test('a body without a content type gets 400, and no body at all is the same as an empty object', async () => {
    expect((await post(null, '{"name":"forged"}')).status).toBe(400);
    expect((await post(null, '')).status).toBe(422);
    expect((await send({ method: 'POST', path: '/_emulator/reset' })).status).toBe(200);
  });

  test('an unknown key is refused with 422 and the name of the key', async () => {
    const { status, body } = await post('application/json; charset=utf-8', '{"name":"Acme","pln":"free"}');
    expect(status).toBe(422);
    expect(body).toContain('pln');
  });
});

test("the emulator's edge never serves the control API, whatever the Host", async () => {
  const toPort = Number(new URL(underTest.emulator.edgeUrl).port);
  for (const host of [`localhost:${toPort}`, `127.0.0.1:${toPort}`, `localhost:${port}`, 'acme.com']) {
    const { status, body } = await send({ toPort, headers: { host } });
    expect(status).toBe(404);
    expect(body).not.toContain('sk_test_');
  }
});

test('the emulator responds to an unknown path with 404 in the error envelope', async () => {
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
