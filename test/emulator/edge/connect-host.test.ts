import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** Tests the connect pages at an app's verified white-label host (`decisions/0049`). */
const HOST = 'connect.agency.com';

let underTest: EmulatorUnderTest;
let app: Record<string, unknown>;

beforeEach(async () => {
  underTest = await emulatorUnderTest();
  await live('PATCH /apps/current', { whitelabel_host: HOST });
  app = (await live('GET /apps/current')).body;
  await found(String(app['whitelabel_target']));
});
afterEach(() => underTest[Symbol.asyncDispose]());

function live(call: string, body?: unknown) {
  return underTest.api(call, body, underTest.emulator.keys.live);
}

function found(value: string | null) {
  return underTest.control(`PATCH /apps/${app['id']}/whitelabel`, { found: value });
}

async function add(hostname: string): Promise<{ id: string; connect_url: string }> {
  const { body } = await live('POST /domains', { hostname });
  return { id: body.id, connect_url: String(body['connect_url']) };
}

async function connectUrl(id: string): Promise<string> {
  return (await live(`GET /domains/${id}`)).body['connect_url'] as string;
}

/** Requests a URL. As in a browser, a name below `.localhost` resolves to this machine. */
async function get(url: string, method = 'GET', origin = ''): Promise<{ status: number; text: string }> {
  const { host, port, href } = new URL(url);
  const path = href.slice(new URL(url).origin.length);
  const headers = { host, ...(origin !== '' && { origin }) };
  const [response] = (await once(
    request({ host: '127.0.0.1', port, path, method, headers }).end(),
    'response',
  )) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: await text(response) };
}

const edgeBase = () => `http://${HOST}.localhost:${new URL(underTest.emulator.edgeUrl).port}`;

test('the connect pages move to the white-label host once it has a certificate, and the old address still works', async () => {
  const { id, connect_url: before } = await add('careers.acme.com');
  expect(before).toMatch(`${underTest.emulator.url}/connect/`);
  await underTest.control('POST /clock/advance', { by: '10s' });
  const after = await connectUrl(id);
  expect(after).toBe(before.replace(underTest.emulator.url, edgeBase()));
  for (const url of [before, after]) {
    const page = await get(url);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<bdi>Emulator</bdi>');
    expect(page.text).toContain('Your domain is live');
  }
  const checked = await get(`${after}/check`, 'POST', edgeBase());
  expect(checked.status).toBe(303);
});

test('a white-label host is not a domain of the app, so no list, count or event contains the host', async () => {
  await underTest.control('POST /clock/advance', { by: '10s' });
  expect((await live('GET /domains')).body['data']).toEqual([]);
  expect((await live('GET /events')).body['data']).toEqual([]);
  expect((await underTest.control('GET /domains')).body).toMatchObject({ total: 0 });
  expect((await underTest.control('GET /status')).body.counts).toMatchObject({ domains: 0, events: 0 });
});

test('at the white-label host, a connect page of another app and every other path are not found', async () => {
  const other = (await underTest.control('POST /apps', { name: 'Other' })).body;
  const foreign = (await underTest.api('POST /domains', { hostname: 'jobs.other.com' }, other.live_key)).body;
  const { id } = await add('careers.acme.com');
  await underTest.control('POST /clock/advance', { by: '10s' });
  const foreignUrl = String(foreign['connect_url']);
  const token = new URL(foreignUrl).pathname;
  expect((await get(foreignUrl)).status).toBe(200);
  for (const path of [
    token,
    `${token}/live`,
    '/',
    '/v1/domains',
    '/docs',
    '/dashboard',
    '/connect/',
    '//',
    '/%',
  ]) {
    const response = await get(`${edgeBase()}${path}`);
    expect([path, response.status]).toEqual([path, 404]);
    expect(response.text).not.toContain('other.com');
  }
  const forged = await get(`${edgeBase()}${token}/check`, 'POST');
  expect(forged.status).toBe(404);
  expect((await get(await connectUrl(id))).text).not.toContain('other.com');
});

test('the connect pages return to the old address while the host is broken or the plan includes no white-label host', async () => {
  const { id, connect_url: old } = await add('careers.acme.com');
  await underTest.control('POST /clock/advance', { by: '10s' });
  await found(null);
  expect(await connectUrl(id)).toBe(old);
  await found(String(app['whitelabel_target']));
  expect(await connectUrl(id)).toMatch(edgeBase());
  await underTest.control('PATCH /account', { plan: 'free', promotional: true });
  expect(await connectUrl(id)).toBe(old);
});

test('if the app changes or removes its white-label host, the old host serves no connect pages', async () => {
  const { id, connect_url: old } = await add('careers.acme.com');
  await underTest.control('POST /clock/advance', { by: '10s' });
  const at = await connectUrl(id);
  await live('PATCH /apps/current', { whitelabel_host: null });
  expect(await connectUrl(id)).toBe(old);
  expect((await get(at)).text).toContain('This domain is not connected here');
});

test('a domain that the app adds at its own white-label host replaces the connect pages', async () => {
  const { id, connect_url: old } = await add('careers.acme.com');
  await underTest.control('POST /clock/advance', { by: '10s' });
  const own = await live('POST /domains', { hostname: HOST, origin: underTest.emulator.sandboxOrigin });
  expect(own).toMatchObject({ status: 201, body: { origin: underTest.emulator.sandboxOrigin } });
  expect(await connectUrl(id)).toBe(old);
  await underTest.control('POST /clock/advance', { by: '10s' });
  expect(JSON.parse((await get(`${edgeBase()}/connect/x`)).text)).toMatchObject({ path: '/connect/x' });
  await found(String(app['whitelabel_target']));
  expect(await connectUrl(id)).toBe(old);
  await live(`DELETE /domains/${own.body.id}`);
  await found(String(app['whitelabel_target']));
  await underTest.control('POST /clock/advance', { by: '10s' });
  expect(await connectUrl(id)).toMatch(edgeBase());
});
