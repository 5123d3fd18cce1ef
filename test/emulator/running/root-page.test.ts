import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmulatorUnderTest, emulatorUnderTest } from './emulator-under-test.ts';

let underTest: EmulatorUnderTest;

beforeAll(async () => {
  underTest = await emulatorUnderTest();
});
afterAll(() => underTest[Symbol.asyncDispose]());

test('the root path of the emulator redirects a browser to the dashboard', async () => {
  const { url } = underTest.emulator;
  const response = await fetch(url, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    redirect: 'manual',
  });
  expect({ status: response.status, location: response.headers.get('location') }).toEqual({
    status: 302,
    location: '/dashboard',
  });
});

test('the root path of the emulator lists its addresses as JSON for a program, and contains no key', async () => {
  const { url, edgeUrl, sandboxOrigin, keys } = underTest.emulator;
  const response = await fetch(url);
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    api: `${url}/v1`,
    openapi: `${url}/v1/openapi.json`,
    docs: `${url}/docs`,
    dashboard: `${url}/dashboard`,
    control: `${url}/_emulator/status`,
    edge: edgeUrl,
    sandbox_origin: sandboxOrigin,
  });
  expect([keys.test, keys.live].filter((key) => text.includes(key))).toEqual([]);
});

test('the emulator responds normally to a browser that requests an icon', async () => {
  const response = await fetch(`${underTest.emulator.url}/favicon.ico`);
  expect(response.status).toBe(204);
});
