import { expect, test } from 'vitest';
import { rawVisitor } from '../../edge/wire/raw-visitor.ts';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { startReceiver } from '../../fixtures/webhook-receiver.ts';
import { api, createDeployment } from '../run-service.ts';

describePostgres('the metrics of a service node describe its work', () => {
  test("contain the numbers of requests, refusals, deliveries by outcome, and the edge's responses", async () => {
    await using deployment = await createDeployment();
    await using receiver = await startReceiver(() => 410);
    await using running = await deployment.start({
      env: { NAMEPLATE_RATE_PER_SECOND: '1', NAMEPLATE_RATE_BURST: '5' },
    });
    const { api_url, admin_url, edge_url } = running;
    const atFirst = (await (await fetch(`${admin_url}/metrics`)).text()).split('\n');
    expect(atFirst).toEqual(
      expect.arrayContaining([
        'nameplate_http_refused_total{reason="rate"} 0',
        'nameplate_delivery_attempts_total{outcome="5xx"} 0',
        'nameplate_edge_failures_total{of="origin"} 0',
        'nameplate_connection_errors_total{server="edge",kind="node"} 0',
        'nameplate_edge_handshake_failures_total{of="certificate"} 0',
      ]),
    );
    const { test_key } = (await deployment.json(['accounts', 'create', 'Acme'])).document;
    await api(api_url, test_key, 'PATCH /apps/current', { webhook_url: receiver.url });
    await api(api_url, test_key, 'POST /domains', { hostname: 'metrics.acme.com' });
    await receiver.until(1);
    expect((await fetch(edge_url)).status).toBe(404);
    const atOnce = Array.from({ length: 10 }, () => api(api_url, test_key, 'GET /apps/current'));
    const statuses = (await Promise.all(atOnce)).map(({ status }) => status);
    const refused = statuses.filter((status) => status === 429).length;
    expect(refused).toBeGreaterThan(0);

    using stranger = await rawVisitor(Number(new URL(api_url).port));
    stranger.write('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n');
    stranger.reset();

    const samples = async () => (await (await fetch(`${admin_url}/metrics`)).text()).split('\n');
    await expect.poll(samples).toContain('nameplate_connection_errors_total{server="api",kind="peer"} 1');
    await expect.poll(samples).toContain('nameplate_delivery_attempts_total{outcome="4xx"} 1');
    expect(await samples()).toEqual(
      expect.arrayContaining([
        'nameplate_http_request_duration_seconds_count{operation="createDomain",status="201"} 1',
        `nameplate_http_refused_total{reason="rate"} ${refused}`,
        'nameplate_edge_requests_total{status="404"} 1',
        'nameplate_events_pending 1',
      ]),
    );
  });
});
