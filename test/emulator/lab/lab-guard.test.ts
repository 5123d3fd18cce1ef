import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleBrowserScripts } from '../../../bin/browser-script.ts';
import { type EmulatorUnderTest, emulatorUnderTest } from '../running/emulator-under-test.ts';

/** Access to the inspector and its stream, and the content security policy of its page. */
let underTest: EmulatorUnderTest;
let port: number;

beforeAll(async () => {
  await bundleBrowserScripts(path.resolve(import.meta.dirname, '../../..'));
  underTest = await emulatorUnderTest();
  port = Number(new URL(underTest.emulator.url).port);
});
afterAll(() => underTest[Symbol.asyncDispose]());

/** Returns the status and headers. The body is not read, because a stream never ends. */
function ask(to: string, headers: Record<string, string>, toPort = port) {
  return new Promise<{ status: number | undefined; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: toPort, path: to, headers }, (response) => {
      resolve({ status: response.statusCode, headers: response.headers });
      sent.destroy();
    });
    sent.on('error', reject).end();
  });
}

const PATHS = ['/_emulator/ui', '/_emulator/ui/domains/dom_1', '/_emulator/ui/stream'];

test.each(PATHS)('%s is served to our own pages', async (to) => {
  const answer = await ask(to, { host: `localhost:${port}`, origin: `http://localhost:${port}` });
  expect(answer.status).toBe(200);
});

test.each(PATHS)('%s is refused to a name that was rebound to loopback', async (to) => {
  expect((await ask(to, { host: `rebound.example:${port}` })).status).toBe(403);
});

test.each(PATHS)('%s is refused to pages of another origin', async (to) => {
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

test.each(PATHS)('%s is not served at the edge', async (to) => {
  const edgePort = Number(new URL(underTest.emulator.edgeUrl).port);
  expect((await ask(to, { host: `localhost:${edgePort}` }, edgePort)).status).toBe(404);
});

test('the page allows its own style and script by their digests, connects to the emulator only, and cannot be framed', async () => {
  const answer = await fetch(`${underTest.emulator.url}/_emulator/ui`);
  const policy = (answer.headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  for (const name of ['style-src', 'script-src']) {
    const sources = policy.find((each) => each.startsWith(name)) ?? '';
    expect(sources).toMatch(/^[a-z-]+ 'sha256-[A-Za-z0-9+/]{43}='$/);
  }
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const text = await answer.text();
  const { keys, webhookSecret } = underTest.emulator;
  const told = [keys.test, keys.live, webhookSecret].filter((secret) => text.includes(secret));
  expect(told).toEqual([]);
  const [markup = ''] = text.split('<script type="module">');
  expect(markup).not.toMatch(/<(?:link|img|iframe|script)|url\(/);
});

test('the stream reports a change at once, and ends with the emulator', async () => {
  await using other = await emulatorUnderTest();
  const answer = await fetch(`${other.emulator.url}/_emulator/ui/stream`);
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

test('stops polling when the reader of a stream has gone', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const readers = Array.from({ length: 20 }, () => new AbortController());
  for (const { signal } of readers) {
    const answer = await fetch(`${underTest.emulator.url}/_emulator/ui/stream`, { signal });
    await answer.body?.getReader().read();
  }
  await expect.poll(() => timers() - before).toBeGreaterThanOrEqual(15);
  for (const reader of readers) reader.abort();
  await expect.poll(() => timers() - before, { timeout: 5000 }).toBeLessThan(10);
});
