import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
});
afterEach(() => underTest[Symbol.asyncDispose]());

function visit(host: string, path = '/', headers: Record<string, string> = {}) {
  const { port } = new URL(underTest.emulator.edgeUrl);
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { ...headers, host } }, async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    )
      .on('error', reject)
      .end();
  });
}

async function active(hostname: string, fields: object = {}): Promise<string> {
  const { id } = (await underTest.api('POST /domains', { hostname, ...fields })).body;
  await underTest.control('POST /clock/advance', { until: 'idle' });
  return id;
}

test('the emulator lists a visit with the headers that the origin received: the headers of the edge, and no forged headers', async () => {
  const id = await active('careers.acme.com', { origin_headers: { 'X-Team': 'jobs' } });
  const { status, body } = await visit('careers.acme.com', '/a?b=c', {
    'X-Service-Domain-Id': 'forged',
    'X-Team': 'forged',
    accept: 'application/json',
  });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ domain_id: id, path: '/a?b=c', signature: { verified: true } });
  const [seen] = (await underTest.control('GET /requests')).body.data;
  expect(seen).toMatchObject({
    method: 'GET',
    path: '/a?b=c',
    host: 'careers.acme.com',
    domain_id: id,
    status: 200,
  });
  const headers = seen?.['headers'] as [string, string][];
  const named = (name: string) => headers.filter(([each]) => each.toLowerCase() === name).map(([, v]) => v);
  expect(named('x-service-domain-id')).toEqual([id]);
  expect(named('x-service-signature')).toEqual([expect.stringMatching(/^v1=[0-9a-f]{64}$/)]);
  expect(named('x-team')).toEqual(['jobs']);
  expect(named('x-forwarded-proto')).toEqual(['http']);
});

test("the emulator's edge treats a hostname with .localhost appended as the hostname itself", async () => {
  await active('careers.acme.com');
  const { port } = new URL(underTest.emulator.edgeUrl);
  const { status, body } = await visit(`careers.acme.com.localhost:${port}`, '/', {
    accept: 'application/json',
  });
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ signature: { verified: true } });
});

test('the emulator lists a request for a hostname that it does not serve, with the response but without headers', async () => {
  await active('careers.acme.com');
  await underTest.api('POST /domains', { hostname: 'pending.acme.com' });
  await underTest.control('POST /holds', { hostname: 'careers.acme.com' });
  const statuses = [];
  for (const host of ['unknown.example', 'pending.acme.com', 'careers.acme.com']) {
    statuses.push((await visit(host)).status);
  }
  expect(statuses).toEqual([404, 404, 451]);
  const { data } = (await underTest.control('GET /requests')).body;
  expect(data.map(({ status, headers }) => ({ status, headers }))).toEqual([
    { status: 451, headers: [] },
    { status: 404, headers: [] },
    { status: 404, headers: [] },
  ]);
});

test("the emulator's log has the newest 1000 requests, newest first", async () => {
  for (let batch = 0; batch < 22; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => visit('unknown.example', `/${batch * 50 + i}`)));
  }
  await visit('unknown.example', '/last');
  const { data } = (await underTest.control('GET /requests')).body;
  expect(data).toHaveLength(1000);
  expect(data[0]).toMatchObject({ path: '/last' });
});

test("the emulator's list of mails is empty if no mail was sent", async () => {
  expect(await underTest.control('GET /mail')).toMatchObject({ status: 200, body: { data: [] } });
});
