import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../../bin/browser-script.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** Tests who can access the dashboard and the lab's event stream, and the page's content security policy. */
let underTest: EmulatorUnderTest;
let port: number;

beforeAll(async () => {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../../..'));
  underTest = await emulatorUnderTest();
  port = Number(new URL(underTest.emulator.url).port);
});
afterAll(() => underTest[Symbol.asyncDispose]());

/** Returns the status and headers of a response. Does not read the body, because a stream never ends. */
function ask(to: string, headers: Record<string, string>, toPort = port) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: toPort, path: to, headers }, (response) => {
      resolve({ status: response.statusCode, headers: response.headers });
      sent.destroy();
    });
    sent.on('error', reject).end();
  });
}

const PATHS = ['/dashboard', '/dashboard/-/test/domains/dom_1', '/_emulator/stream'];

test.each(PATHS)('the emulator serves %s to its own pages', async (to) => {
  const answer = await ask(to, { host: `localhost:${port}`, origin: `http://localhost:${port}` });
  expect(answer.status).toBe(200);
});

test.each(PATHS)('the emulator refuses %s under a hostname that was rebound to loopback', async (to) => {
  expect((await ask(to, { host: `rebound.example:${port}` })).status).toBe(403);
});

test.each(PATHS)('the emulator refuses %s to pages of another origin', async (to) => {
  for (const origin of [
    'https://evil.example',
    'null',
    `http://evil.localhost:${port}`,
    'http://localhost:1',
  ]) {
    const answer = await ask(to, { host: `localhost:${port}`, origin });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test.each(PATHS)('the emulator does not serve %s at the edge', async (to) => {
  const edgePort = Number(new URL(underTest.emulator.edgeUrl).port);
  expect((await ask(to, { host: `localhost:${edgePort}` }, edgePort)).status).toBe(404);
});

test('the dashboard of the emulator loads its own font, style and script only, connects to the emulator only, and cannot be framed', async () => {
  const answer = await fetch(`${underTest.emulator.url}/dashboard`);
  const policy = (answer.headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  for (const name of ['style-src', 'script-src']) expect(policy).toContain(`${name} 'self'`);
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const document = await answer.text();
  const [icon, ...files] = [...document.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(icon).toMatch(/^data:image\/svg\+xml,/);
  expect(files.map((path) => path.replace(/.*\./, ''))).toEqual(['woff2', 'css', 'js']);
  const texts = files.map(async (path) => (await fetch(underTest.emulator.url + path)).text());
  const text = [document, ...(await Promise.all(texts))].join('');
  const { keys, webhookSecret } = underTest.emulator;
  const told = [keys.test, keys.live, webhookSecret].filter((secret) => text.includes(secret));
  expect(told).toEqual([]);
  expect(document).not.toMatch(/<(?:img|iframe)|style=|url\(/);
});

test('the addresses of the former inspector redirect to the same view in the dashboard', async () => {
  const { api, control, emulator } = underTest;
  const other = (await control('POST /apps', { name: 'Agency' })).body;
  const { body: domain } = await api('POST /domains', { hostname: 'moved.acme.com' }, other.live_key);
  const { data } = (await control('GET /events?search=moved.acme.com')).body;
  const leadsTo = async (path: string) => {
    const answer = await fetch(`${emulator.url}/_emulator/ui${path}`, { redirect: 'manual' });
    return [answer.status, answer.headers.get('location')];
  };
  const inOther = `/dashboard/${other.app.id}/live`;
  for (const [from, to] of [
    ['', '/dashboard/-/test/emulator'],
    ['/domains?status=active', '/dashboard/-/test/domains?status=active'],
    ['/domains?mode=live', '/dashboard/-/live/domains?mode=live'],
    ['/faults', '/dashboard/-/test/faults'],
    ['/requests/req_1', '/dashboard/-/test/requests/req_1'],
    ['/mail/%3Ca@b%3E', '/dashboard/-/test/mail/%3Ca@b%3E'],
    [`/domains/${domain.id}`, `${inOther}/domains/${domain.id}`],
    [`/events/${data[0]?.id}`, `${inOther}/events/${data[0]?.id}`],
    ['/domains/dom_nothing', '/dashboard/-/test/domains/dom_nothing'],
    ['//evil.example', '/dashboard/-/test//evil.example'],
  ] as const) {
    expect([from, ...(await leadsTo(from))]).toEqual([from, 302, to]);
  }
});

test("the emulator's stream reports a change immediately, and ends with the emulator", async () => {
  await using other = await emulatorUnderTest();
  const answer = await fetch(`${other.emulator.url}/_emulator/stream`);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => {
    let text = '';
    for (let reads = 0; reads < 100 && !text.includes('data:'); reads++) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
    return text;
  };
  expect(await next()).toContain('"mode":"frozen"');
  await other.api('POST /domains', { hostname: 'careers.acme.com' });
  expect(await next()).toContain('data:');
  await other.emulator.clock.setMode('auto');
  expect(await next()).toContain('"mode":"auto"');
  await other.emulator.close();
  await expect(next()).rejects.toThrow();
  expect(other.logged).toEqual([]);
});

test('the emulator stops polling when the client of its stream has gone', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const readers = Array.from({ length: 20 }, () => new AbortController());
  for (const { signal } of readers) {
    const answer = await fetch(`${underTest.emulator.url}/_emulator/stream`, { signal });
    await answer.body?.getReader().read();
  }
  await expect.poll(() => timers() - before).toBeGreaterThanOrEqual(15);
  for (const reader of readers) reader.abort();
  await expect.poll(() => timers() - before, { timeout: 5000 }).toBeLessThan(10);
});
