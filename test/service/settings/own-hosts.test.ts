import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { api, createDeployment, type Document } from '../run-service.ts';

const ENV = {
  NAMEPLATE_BASE_URL: 'https://api.example.net',
  NAMEPLATE_DOCS_URL: 'https://help.example.org/guides',
  NAMEPLATE_EDGE_ZONE: 'edge.example.com',
  NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.com',
};
const OWN = [
  'api.example.net',
  'v2.api.example.net',
  'help.example.org',
  'x.edge.example.com',
  'sandbox.example.com',
];

describePostgres("The service's own hostnames are reserved", () => {
  test("cannot be a customer's hostname, origin, webhook or white-label host", async () => {
    await using deployment = await createDeployment();
    const terms = ['--plan', 'scale', '--card-on-file', '--trial-ends-at', 'none'];
    const { live_key } = (await deployment.json(['accounts', 'create', 'Acme', ...terms])).document;
    await using running = await deployment.start({ env: ENV });
    const call = (request: string, body: object) => api(running.api_url, live_key, request, body);
    for (const host of OWN) {
      const refusals = await Promise.all([
        call('POST /domains', { hostname: host }),
        call('POST /domains', { hostname: 'careers.acme.com', origin: `https://${host}` }),
        call('PATCH /apps/current', { origin_url: `https://${host}` }),
        call('PATCH /apps/current', { webhook_url: `https://${host}/hooks` }),
        call('PATCH /apps/current', { whitelabel_host: host }),
      ]);
      const codes = refusals.map(({ status, body }) => [status, (body as unknown as Document).error?.code]);
      expect({ host, codes }).toEqual({
        host,
        codes: [
          [422, 'hostname_is_service'],
          [422, 'origin_not_allowed'],
          [422, 'origin_not_allowed'],
          [422, 'validation_failed'],
          [422, 'validation_failed'],
        ],
      });
    }
  });
});
