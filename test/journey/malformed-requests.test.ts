import { once } from 'node:events';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../emulator/running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeAll(async () => {
  underTest = await emulatorUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

/** Sends raw bytes, and returns the response once the server has closed the connection. */
async function raw(url: string, bytes: string): Promise<string> {
  const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) });
  await once(socket, 'connect');
  socket.end(bytes, 'latin1');
  return text(socket);
}

async function isWell(): Promise<void> {
  expect((await underTest.api('GET /domains')).status).toBe(200);
  expect((await underTest.control('GET /status')).status).toBe(200);
}

describe.each([
  ['the API', (emulator: EmulatorUnderTest['emulator']) => emulator.url],
  ['the edge', (emulator: EmulatorUnderTest['emulator']) => emulator.edgeUrl],
  ['the sandbox origin', (emulator: EmulatorUnderTest['emulator']) => emulator.sandboxOrigin],
])('%s of the emulator under malformed requests', (_, url) => {
  test.each([
    ['no HTTP', '\x00\x01\x02\x03\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: a.example\r\nNo colon here\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a chunk that is none',
      'POST / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['headers without end', `GET / HTTP/1.1\r\nHost: a.example\r\nX: ${'x'.repeat(200_000)}\r\n\r\n`],
    ['half a request', 'POST /v1/domains HTTP/1.1\r\nHost: a.example\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('gives no 2xx response to bytes with %s, and still works', async (_name, bytes) => {
    const answer = await raw(url(underTest.emulator), bytes).catch((error: Error) => error.message);
    expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
    await isWell();
  });
});

describe('the API of the emulator', () => {
  test.each([
    ['no HTTP', '\x00\x01\x02\x03\r\n\r\n'],
    ['no Host', 'GET /v1/domains HTTP/1.1\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: a.example\r\nNo colon here\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['large headers', `GET / HTTP/1.1\r\nHost: a.example\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n'],
  ])('responds with 400 invalid_request and a request id to bytes with %s', async (_, bytes) => {
    const [head = '', body = ''] = (await raw(underTest.emulator.url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toMatch(/^x-request-id: req_\w+$/im);
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'invalid_request', message: expect.any(String), fix: expect.any(String) },
    });
    await isWell();
  });

  test('ignores an unknown expectation in the header Expect', async () => {
    const { url } = underTest.emulator;
    const answer = await raw(
      url,
      `GET /v1/domains HTTP/1.1\r\nHost: ${new URL(url).host}\r\nExpect: miracles\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain('"code":"unauthorized"');
  });
});

test.each([
  ['no JSON', '{', 400],
  ['not an object', '[]', 400],
  ['no body', '', 400],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), 400],
  ['nothing in it', '{}', 422],
  ['a hostname that is none', '{"hostname":12}', 422],
  ['a prototype', '{"__proto__":{"hostname":"careers.acme.com"}}', 422],
  ['a nested prototype', '{"hostname":"p.acme.com","metadata":{"__proto__":{"a":1}}}', 201],
  ['a deep body', `{"hostname":"deep.acme.com","metadata":${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}}`, 422],
  ['too much', `{"hostname":"${'a'.repeat(110_000)}"}`, 413],
])(
  'the API responds with the status $2 to a request that creates a domain with %s',
  async (_, body, status) => {
    const response = await fetch(`${underTest.emulator.url}/v1/domains`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${underTest.emulator.keys.test}`,
        'content-type': 'application/json',
      },
      body,
    });
    expect(response.status).toBe(status);
    if (status !== 201) {
      expect(await response.json()).toMatchObject({
        error: { code: expect.any(String), message: expect.any(String), fix: expect.any(String) },
      });
    }
    await isWell();
  },
);

test.each([
  'GET /domains/%00',
  'GET /domains/..%2f..%2fetc',
  'GET /events/%ff',
  'GET /domains?cursor=%F0%9F',
])('the API refuses %s with the error envelope', async (call) => {
  const { status, body } = await underTest.api(call);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body.error.code).toMatch(/^[a-z_]+$/);
  await isWell();
});

test("an advance of the emulator's clock is completed even if its client disconnects", async () => {
  await underTest.api('POST /domains', { hostname: 'leaving.acme.com' });
  const before = Date.parse((await underTest.control('GET /clock')).body.now);
  const controller = new AbortController();
  const advance = fetch(`${underTest.emulator.url}/_emulator/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"by":"2000d"}',
    signal: controller.signal,
  }).then(
    () => 'answered',
    () => 'left',
  );
  setImmediate(() => controller.abort());
  await advance;
  await underTest.control('POST /clock/advance', { by: '1d' });
  const moved = Date.parse((await underTest.control('GET /clock')).body.now) - before;
  // The clock has moved by one day if the request was cut off before the emulator read it. Otherwise, the whole move has been made.
  expect([1, 2001]).toContain(moved / 86_400_000);
  await isWell();
});
