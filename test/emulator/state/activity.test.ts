import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningEmulator, runEmulator } from '../../../emulator/run-emulator.ts';
import { DEFAULT_SECRETS } from '../../../emulator/state/default-account.ts';
import { createClient } from '../../../shared/client/client.ts';
import { startReceiver } from '../../conformance/receiver.ts';

let emulator: RunningEmulator;
beforeAll(async () => {
  emulator = await runEmulator({ clock: 'frozen' });
});
afterAll(() => emulator.close());

const api = () => createClient({ baseUrl: emulator.surface.urls.url, apiKey: DEFAULT_SECRETS.live_key });

test('the activity of the emulator contains each API request, event, webhook and edge request once', async () => {
  await using receiver = await startReceiver(() => 500);
  await api().apps.update({ webhook_url: receiver.url });
  await api().domains.create({ hostname: 'before.acme.com' });
  const activity = emulator.watch();
  expect(await activity.read()).toEqual([]);
  await api().domains.create({ hostname: 'careers.acme.com' });
  await emulator.surface.emulator.time.advance({ until: 'next' });
  await fetch(emulator.surface.urls.edgeUrl, { headers: { host: 'careers.acme.com' } });
  const items = [];
  for (let looks = 0; looks < 50 && items.length < 4; looks++) {
    items.push(...(await activity.read()));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const kinds = items.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['api', 'edge', 'event', 'webhook']);
  const at = expect.any(Number);
  expect(items).toContainEqual({ kind: 'api', at, method: 'POST', path: '/v1/domains', status: 201 });
  expect(items).toContainEqual({
    kind: 'event',
    at,
    event_id: expect.stringMatching(/^evt_/),
    type: 'domain.created',
    hostname: 'careers.acme.com',
    previous_status: null,
    status: 'pending_dns',
  });
  expect(items).toContainEqual(expect.objectContaining({ kind: 'webhook', status: 500, attempt: 1 }));
  expect(await activity.read()).toEqual([]);
});

test('the activity of the emulator continues after a reset', async () => {
  const activity = emulator.watch();
  await activity.read();
  await emulator.surface.emulator.reset(null);
  await api().domains.create({ hostname: 'again.acme.com' });
  const items = await activity.read();
  expect(items).toContainEqual(expect.objectContaining({ kind: 'event', hostname: 'again.acme.com' }));
  expect(await activity.counts()).toEqual({ domains: 1, events: 1 });
});

test('the emulator does not count a white-label host as a domain', async () => {
  await emulator.surface.emulator.reset(null);
  const { id, whitelabel_target: found } = await api().apps.update({ whitelabel_host: 'connect.agency.com' });
  const { url } = emulator.surface.urls;
  await fetch(`${url}/_emulator/apps/${id}/whitelabel`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ found }),
  });
  await emulator.surface.emulator.time.advance({ by_ms: 10_000 });
  await api().domains.create({ hostname: 'careers.acme.com' });
  expect((await api().domains.list({})).data[0]?.connect_url).toContain('connect.agency.com');
  expect((await emulator.watch().counts()).domains).toBe(1);
});
