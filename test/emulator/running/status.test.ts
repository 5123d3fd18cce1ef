import { describe, expect, test } from 'vitest';
import { emulatorUnderTest } from './emulator-under-test.ts';

describe('GET /status describes the emulator', () => {
  test('shows the addresses, the counts and the keys', async () => {
    await using underTest = await emulatorUnderTest();
    const { emulator, control, api } = underTest;
    await api('POST /domains', { hostname: 'careers.acme.com' });
    const { body } = await control('GET /status');
    expect(body).toMatchObject({
      ready: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pid: process.pid,
      app_id: emulator.appId,
      clock: { mode: 'frozen', now: emulator.clock.now().toISOString() },
      counts: { domains: 1, events: 1, deliveries: 0, pending_events: 0 },
      urls: {
        api: `${emulator.url}/v1`,
        edge: emulator.edgeUrl,
        sandbox_origin: emulator.sandboxOrigin,
        openapi: `${emulator.url}/v1/openapi.json`,
      },
      keys: { ...emulator.keys, webhook_secret: emulator.webhookSecret },
    });
  });

  test('contains only addresses that respond', async () => {
    await using underTest = await emulatorUnderTest();
    const { urls } = (await underTest.control('GET /status')).body as unknown as {
      urls: Record<string, string>;
    };
    const { docs, openapi, sandbox_origin, dashboard, control } = urls;
    for (const url of [docs, openapi, sandbox_origin, dashboard, `${control}/status`]) {
      expect({ url, status: (await fetch(String(url))).status }).toEqual({ url, status: 200 });
    }
  });
});
