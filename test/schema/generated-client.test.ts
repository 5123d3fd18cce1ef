import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { serviceNames } from '../../shared/core/service-name.ts';
import { errorExample } from '../../shared/schema/openapi/error-example.ts';
import { openApiDocument } from '../../shared/schema/openapi/openapi.ts';
import { examples } from '../../shared/schema/openapi/openapi-examples.ts';
import { type ApiRoute, ROUTES } from '../../shared/schema/routes.ts';
import { type GeneratedClient, makeClient } from './generated-client.ts';

const SETTINGS = {
  baseUrl: 'https://api.acme-cdn.net',
  docsUrl: 'https://docs.acme-cdn.net',
  names: serviceNames('Acme'),
};
const routes = Object.entries(ROUTES) as [string, ApiRoute][];
const document = openApiDocument(SETTINGS);

/** Code that a customer would write. It must compile with the generated client, except for its parts with deliberate errors. */
const USAGE = `
import { Api, type ChangedDomain, type DomainStatus, type WebhookEvent } from './client.js';
export const later: WebhookEvent['type'] = 'domain.paused';
export async function use(api: Api<unknown>): Promise<DomainStatus> {
  const added = await api.v1.createDomain({ hostname: 'careers.acme.com', metadata: { team: 'people' }, origin: null });
  const domain: ChangedDomain = added.data;
  const target: string | undefined = domain.dns.cname?.value ?? domain.dns.apex?.txt.value;
  const page = await api.v1.listDomains({ status: 'active', limit: 10 });
  const next: string | null = page.data.next_cursor;
  // @ts-expect-error a hostname is required
  await api.v1.createDomain({});
  // @ts-expect-error there is no such status
  await api.v1.listDomains({ status: 'gone' });
  // @ts-expect-error this server has no such type of event
  await api.v1.listEvents({ type: later });
  return next === target ? 'active' : page.data.data.map(({ status }) => status)[0] ?? domain.status;
}`;

describe('a client that a public generator creates from the OpenAPI document', () => {
  const seen: { id: string; headers: IncomingMessage['headers']; query: URLSearchParams; body: string }[] =
    [];
  let server: Server;
  let client: GeneratedClient;

  /** Responds to each route with the example of the route's first success response. For a deleted id, responds with `not_found`. */
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const found = routes.find(
      ([, { method, path }]) =>
        method === request.method && new RegExp(`^${path.replace('{id}', '[^/]+')}$`).test(pathname),
    );
    const body = await text(request);
    const [id, route] = found ?? [];
    if (!id || !route || pathname.includes('dom_gone')) {
      return send(response, 404, errorExample('not_found', SETTINGS));
    }
    seen.push({ id, headers: request.headers, query: searchParams, body });
    const [status, schema] = Object.entries(route.responses)[0] ?? [];
    send(response, Number(status), schema ? examples(SETTINGS)[schema.meta()?.id ?? ''] : null);
  }

  function send(response: ServerResponse, status: number, body: unknown) {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(body === null ? undefined : JSON.stringify(body));
  }

  beforeAll(async () => {
    server = createServer(answer).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = await makeClient(document, { base_url: baseUrl, api_key: 'sk_test_1' }, USAGE);
  });

  afterAll(async () => {
    await client?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  // Generated clients do not support streams.
  test.each(routes.filter(([, route]) => !route.isStream))(
    'calls %s and reads its response',
    async (id, route) => {
      const args: unknown[] = [];
      if (route.path.includes('{id}')) args.push('dom_1');
      const query = route.query && 'limit' in route.query.shape ? { limit: 10 } : { interval: 'day' };
      if (route.query) args.push(query);
      if (route.body) args.push(examples(SETTINGS)[(route.body as z.ZodType).meta()?.id ?? '']);
      const got = await client.operations[id]?.(...args);
      const request = seen.at(-1);
      expect(request?.id).toBe(id);
      expect(request?.headers.authorization).toBe('Bearer sk_test_1');
      if (route.query)
        expect(route.query.parse(Object.fromEntries(request?.query ?? []))).toMatchObject(query);
      if (route.body) expect(route.body.safeParse(JSON.parse(request?.body ?? '')).success).toBe(true);
      const [schema] = Object.values(route.responses);
      if (schema) expect(schema.parse(got?.data)).toEqual(got?.data);
      else expect(got?.status).toBe(204);
    },
  );

  test("throws an error that contains the API's error object", async () => {
    const thrown = await client.operations['getDomain']?.('dom_gone').then(
      () => null,
      (error: unknown) => error,
    );
    expect(thrown).toMatchObject({ status: 404, error: errorExample('not_found', SETTINGS) });
  });
});
