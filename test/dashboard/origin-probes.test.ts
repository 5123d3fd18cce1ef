import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { LIMITS } from '../../shared/core/limits.ts';
import { dashboardUnderTest } from './dashboard-under-test.ts';

/** Tests the history of origin probes on the app's page, with a real origin. */
async function startOrigin() {
  let status = 200;
  const server = createServer((_, res) => res.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next: number) {
      status = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

test('the dashboard lists each probe of the origin, and starts a new list for a new origin', async () => {
  await using dashboard = await dashboardUnderTest();
  await using origin = await startOrigin();
  await using other = await startOrigin();
  const developer = await dashboard.signedIn('developer');
  const viewer = await dashboard.signedIn('viewer');
  const { app } = dashboard.account;
  const setOrigin = (url: string) =>
    developer.send(`PATCH /apps/${app.id}/live/apps/current`, { origin_url: url });
  const probes = async () => {
    const { body } = await viewer.send(`GET /apps/${app.id}/origin-probes`);
    return body.data.map((each: Record<string, unknown>) => [each['status_code'], each['reason']]);
  };
  const nextProbe = () => dashboard.composition.time.advance({ by_ms: LIMITS.probe_every_ms });

  expect(await probes()).toEqual([]);
  await setOrigin(origin.url);
  expect(await probes()).toEqual([[200, null]]);
  origin.answer(404);
  await nextProbe();
  origin.answer(503);
  await nextProbe();
  await origin.close();
  await nextProbe();
  const history = [
    [null, 'origin_connection_failed'],
    [503, 'origin_http_error'],
    [404, null],
    [200, null],
  ];
  expect(await probes()).toEqual(history);
  const { body } = await viewer.send(`GET /apps/${app.id}/origin-probes`);
  for (const { latency_ms } of body.data) expect(latency_ms).toBeGreaterThanOrEqual(0);
  const times = body.data.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().toReversed());

  // A change to the same origin probes the origin once more.
  await setOrigin(origin.url);
  expect(await probes()).toEqual([[null, 'origin_connection_failed'], ...history]);
  await setOrigin(other.url);
  expect(await probes()).toEqual([[200, null]]);
});
