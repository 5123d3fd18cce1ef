import { startEmulator } from '../../emulator/start.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Driver } from './driver.ts';

/** Starts an emulator with a frozen clock, and a driver that uses its control API. */
export async function startEmulatorDriver(log?: Log): Promise<Driver> {
  const emulator = await startEmulator({ clock: 'frozen', ...(log && { log }) });

  async function control<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${emulator.url}/_emulator${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded with ${response.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }

  return {
    base_url: emulator.url,
    test_key: emulator.keys.test,
    live_key: emulator.keys.live,
    webhook_secret: emulator.webhookSecret,
    setAccount: (change) => control('PATCH', '/account', change),
    async createApp(app) {
      const made = await control<NewApp>('POST', '/apps', app);
      return { app_id: made.app.id, test_key: made.test_key, live_key: made.live_key };
    },
    advance: (by) => control('POST', '/clock/advance', { by }),
    advanceUntilIdle: () => control('POST', '/clock/advance', { until: 'idle' }),
    now: async () => Date.parse((await control<{ now: string }>('GET', '/clock')).now),
    hold: (hostname) => control('POST', '/holds', { hostname }),
    release: (hostname) => control('DELETE', `/holds/${encodeURIComponent(hostname)}`),
    trigger: (domainId, trigger, reason) =>
      control(
        'POST',
        `/domains/${domainId}/trigger`,
        reason === undefined ? { trigger } : { trigger, reason },
      ),
    setWhitelabelFound: (appId, found) => control('PATCH', `/apps/${appId}/whitelabel`, { found }),
    reset: () => control('POST', '/reset', {}),
    close: () => emulator.close(),
  };
}

interface NewApp {
  app: { id: string };
  test_key: string;
  live_key: string;
}
