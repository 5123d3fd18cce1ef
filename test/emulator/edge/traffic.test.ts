import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

let underTest: EmulatorUnderTest;
beforeEach(async () => {
  underTest = await emulatorUnderTest();
});
afterEach(() => underTest[Symbol.asyncDispose]());

const advance = (by: string) => underTest.control('POST /clock/advance', { by });

/** Adds a domain and waits until it is served. */
async function addServed(hostname: string): Promise<string> {
  const { body } = await underTest.api('POST /domains', { hostname });
  await advance('10s');
  return body.id;
}

async function visit(hostname: string): Promise<number> {
  const { port } = new URL(underTest.emulator.edgeUrl);
  const headers = { host: `${hostname}.localhost:${port}` };
  const sent = request({ host: '127.0.0.1', port, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'close');
  return response.statusCode ?? 0;
}

interface Traffic {
  totals: { requests: number; status_2xx: number };
  buckets: { start: string; requests: number }[];
  top_domains: { domain_id: string; hostname: string | null; requests: number }[];
}

async function traffic(path: string): Promise<Traffic> {
  return (await underTest.api(`GET ${path}`)).body as unknown as Traffic;
}

test('the emulator counts a visit in the hour that its clock shows', async () => {
  const id = await addServed('careers.acme.com');
  const asked = () => traffic(`/domains/${id}/traffic`);
  expect(await visit('careers.acme.com')).toBe(200);
  // Polls, because the response can arrive before the edge has counted the request.
  await expect.poll(async () => (await asked()).totals.requests).toBe(1);
  await advance('1h');
  for (let n = 0; n < 2; n++) await visit('careers.acme.com');
  await expect.poll(async () => (await asked()).totals).toMatchObject({ requests: 3, status_2xx: 3 });
  const latest = (await asked()).buckets.slice(-2).map(({ requests }) => requests);
  expect(latest).toEqual([1, 2]);
});

test('the emulator lists the busiest domains of the app, and keeps the traffic of a deleted domain', async () => {
  const [quiet, busy] = [await addServed('careers.acme.com'), await addServed('jobs.acme.com')];
  await visit('careers.acme.com');
  for (let n = 0; n < 3; n++) await visit('jobs.acme.com');
  const asked = () => traffic('/traffic?interval=day');
  await expect.poll(async () => (await asked()).totals.requests).toBe(4);
  await underTest.api(`DELETE /domains/${busy}`);
  expect((await asked()).top_domains).toMatchObject([
    { domain_id: busy, hostname: null, requests: 3 },
    { domain_id: quiet, hostname: 'careers.acme.com', requests: 1 },
  ]);
  const live = await underTest.api('GET /traffic', undefined, underTest.emulator.keys.live);
  expect(live.body).toMatchObject({ totals: { requests: 0 }, top_domains: [] });
});
