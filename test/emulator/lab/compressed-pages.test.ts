import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LabUnderTest, labUnderTest } from './lab-under-test.ts';

/** Tests the compression of all responses of the API's port, as sent on the wire. */
let underTest: LabUnderTest;
let connectPath: string;
/** Paths of the files that the dashboard's document loads: its style, then its script. */
let assets: string[];

beforeAll(async () => {
  underTest = await labUnderTest(null);
  const { body } = await underTest.api('POST /domains', { hostname: 'careers.acme.com' });
  const document = await (await fetch(`${underTest.emulator.url}/dashboard`)).text();
  assets = [...document.matchAll(/(?:href|src)="([^"]+\.(?:css|js))"/g)].map(([, path]) => path ?? '');
  connectPath = new URL(String(body.connect_url)).pathname;
});

afterAll(() => underTest[Symbol.asyncDispose]());

interface Sent {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

function get(path: string, headers: Record<string, string>): Promise<Sent> {
  return new Promise((resolve, reject) => {
    request(underTest.emulator.url + path, { headers })
      .on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) }),
        );
      })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['the connect page', () => connectPath],
  ['the live part of the connect page', () => `${connectPath}/live`],
  ['the page of an unknown link', () => '/connect/nobodyknowsthistoken00'],
  ['a guide', () => '/docs/domains'],
  ['the page of a reason', () => '/docs/reasons/caa_forbids'],
  ['the script of the dashboard', () => assets[1] ?? ''],
  ['the style of the dashboard', () => assets[0] ?? ''],
  ['the OpenAPI document', () => '/v1/openapi.json'],
])('%s is compressed with Brotli or gzip to less than half of its size', async (_, pathOf) => {
  const plain = await get(pathOf(), {});
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers['vary']).toBe('accept-encoding');
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const sent = await get(pathOf(), { 'accept-encoding': coding });
    expect(sent.headers).toMatchObject({
      'content-encoding': coding,
      vary: 'accept-encoding',
      'content-type': plain.headers['content-type'],
    });
    expect(sent.body.length).toBeLessThan(plain.body.length / 2);
    expect(decode(sent.body).toString()).toBe(plain.body.toString());
  }
});

test.each([
  ['the API', '/v1/domains'],
  ['the control surface', '/_emulator/export'],
])(
  '%s is never compressed, because the response can contain secrets together with input from other people',
  async (_, path) => {
    const { emulator } = underTest;
    const { headers } = await get(path, {
      'accept-encoding': 'br, gzip',
      authorization: `Bearer ${emulator.keys.test}`,
    });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['content-encoding']).toBeUndefined();
  },
);

test.each([
  ['the connect page', () => connectPath, 200, 'no-store'],
  ['the page of an unknown link', () => '/connect/nobodyknowsthistoken00', 404, 'no-store'],
  ['the document of the dashboard', () => '/dashboard', 200, 'no-store'],
  ['a file of the dashboard', () => assets[1] ?? '', 200, 'public, max-age=31536000, immutable'],
  ['a file of an earlier dashboard', () => '/dashboard/assets/0.js', 404, 'no-store'],
  ['a guide', () => '/docs/domains', 200, 'no-cache'],
  ['a guide that does not exist', () => '/docs/nothing', 404, 'no-cache'],
  ['the OpenAPI document', () => '/v1/openapi.json', 200, 'public, max-age=60'],
  ['an error of the API', () => '/v1/domains', 401, 'no-store'],
  ['a path that does not exist', () => '/nothing', 404, 'no-store'],
  ['a path that cannot be decoded', () => '/%ff', 404, 'no-store'],
])('the headers of %s say how long the response may be stored', async (_, pathOf, status, cacheControl) => {
  const sent = await get(pathOf(), { 'accept-encoding': 'br' });
  expect(sent.status).toBe(status);
  expect(sent.headers['cache-control']).toBe(cacheControl);
});

test.each(['/docs/domains', '/docs/domains.md', '/llms.txt', '/v1/openapi.json'])(
  '%s is not sent again to a client that already has it',
  async (path) => {
    const first = await get(path, { 'accept-encoding': 'br' });
    const again = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': `${first.headers['etag']}` });
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) });
    expect(again.headers).toMatchObject({
      vary: 'accept-encoding',
      'cache-control': first.headers['cache-control'],
    });
  },
);

test('an error page is sent in full, whatever the client has cached', async () => {
  const { headers } = await get('/docs/nothing', {});
  const again = await get('/docs/nothing', { 'if-none-match': `${headers['etag']}` });
  expect(again.status).toBe(404);
  expect(again.body.length).toBeGreaterThan(1000);
});
