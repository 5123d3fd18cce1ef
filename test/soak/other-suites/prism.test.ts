import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Emulator, startEmulator } from '../../../emulator/start.ts';
import { type Client, createClient } from '../../../shared/client/client.ts';
import { errorCodesOf } from '../../../shared/schema/openapi/openapi-responses.ts';
import { type OperationId, ROUTES } from '../../../shared/schema/routes.ts';
import type { OpenApiDocument } from '../../conformance/openapi/openapi-requests.ts';
import { type Daemon, startDaemon } from '../../fixtures/daemon.ts';
import { describeUnlessMissing } from '../../fixtures/describe-unless-missing.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { installApart } from '../../fixtures/install-apart.ts';
import { startReceiver, type WebhookReceiver } from '../../fixtures/webhook-receiver.ts';
import { conclude, type Excuses } from './conclude.ts';

/**
 * Runs Prism as a proxy between the SDK and the emulator. If the OpenAPI document does not describe a request or a response, Prism responds
 * with its own error. The test calls each operation once successfully, and once for each of its error codes.
 */
const EXCUSES: Excuses = {
  'streamEvents 200: no response':
    'Prism passes a body on once it has ended, and the stream of events never ends.',
};
const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };
const OF_PRISM = 'application/problem+json';
const STREAM_WAIT_MS = 2_000;

/** Ids from the responses of earlier calls. */
interface Known {
  key: string;
  domain: string;
  event: string;
}

/** A call of each operation. In this order, each call finds the resources that it needs. */
const CALLS: Record<OperationId, (client: Client, known: Known) => Promise<unknown>> = {
  getApp: ({ apps }) => apps.get(),
  updateApp: ({ apps }) => apps.update({ name: 'Acme', brand_color: '#1f4fd1' }),
  rotateSigningSecret: ({ apps }) => apps.rotateSecret(),
  createKey: async ({ keys }, known) => {
    known.key = (await keys.create({ name: 'CI', mode: 'test' })).id;
  },
  listKeys: ({ keys }) => keys.list({ limit: 1 }),
  revokeKey: ({ keys }, known) => keys.revoke(known.key),
  createDomain: async ({ domains }, known) => {
    const body = { hostname: 'careers.acme.com', metadata: { team: 'people' } };
    for (let times = 0; times < 2; times++) known.domain = (await domains.create(body)).id;
  },
  listDomains: ({ domains }) => domains.list({ limit: 1, metadata: { team: 'people' } }),
  getDomain: ({ domains }, known) => domains.get(known.domain),
  updateDomain: ({ domains }, known) => domains.update(known.domain, { origin_headers: { 'X-Team': 'a' } }),
  verifyDomain: ({ domains }, known) => domains.verify(known.domain),
  createConnectToken: ({ domains }, known) => domains.createConnectToken(known.domain),
  diagnoseDomain: ({ domains }, known) => domains.diagnose(known.domain),
  listCertificates: ({ domains }, known) => domains.certificates(known.domain),
  getDomainTraffic: ({ domains }, known) => domains.traffic(known.domain),
  getTraffic: ({ traffic }) => traffic.get(),
  listEvents: async ({ events }, known) => {
    known.event = (await events.list()).data[0]?.id ?? 'evt_missing';
  },
  getEvent: ({ events }, known) => events.get(known.event),
  redeliverEvent: ({ events }, known) => events.redeliver(known.event),
  streamEvents: ({ request }) =>
    request({ method: 'GET', path: '/v1/events/stream', signal: AbortSignal.timeout(STREAM_WAIT_MS) }),
  deleteDomain: ({ domains }, known) => domains.delete(known.domain),
};

const installed = installApart(import.meta.dirname);

describeUnlessMissing('missing' in installed ? installed.missing : null, 'Prism', () => {
  if ('missing' in installed) return;
  const program = join(installed.folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'nameplate-prism-'));
  let receiver: WebhookReceiver;
  let emulator: Emulator;
  let document: OpenApiDocument;
  beforeAll(async () => {
    receiver = await startReceiver();
    emulator = await startEmulator({ clock: 'real', webhook: receiver.url, log: QUIET });
    document = (await (await fetch(`${emulator.url}/v1/openapi.json`)).json()) as OpenApiDocument;
  });
  afterAll(async () => {
    await emulator?.close();
    await receiver?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** Starts Prism with a document, in front of the emulator. */
  async function startPrism(described: OpenApiDocument): Promise<Daemon & { url: string }> {
    const port = await freePort();
    const file = join(folder, `${port}.json`);
    writeFileSync(file, JSON.stringify(described));
    const args = [program, 'proxy', '--errors', `--port=${port}`, file, emulator.url];
    const log = { stream: 'stdout', ready: /Prism is listening/, failed: /fatal/ } as const;
    return { ...(await startDaemon(process.execPath, args, log)), url: `http://127.0.0.1:${port}` };
  }

  /** Calls every operation through Prism. @returns the number of responses, and Prism's findings. */
  async function walk(url: string): Promise<{ responses: number; found: string[] }> {
    const seen: string[] = [];
    const found: string[] = [];
    const known: Known = { key: '', domain: '', event: '' };
    let operation: OperationId = 'getApp';
    const client = createClient({
      apiKey: emulator.keys.live,
      baseUrl: url,
      retries: 0,
      async fetch(...request) {
        const response = await fetch(...request);
        const isOfPrism = response.headers.get('content-type')?.startsWith(OF_PRISM);
        if (isOfPrism) found.push(`${operation}: ${await response.clone().text()}`);
        else seen.push(`${operation} ${response.status}`);
        return response;
      },
    });
    for (const [id, call] of Object.entries(CALLS)) {
      operation = id as OperationId;
      for (const code of errorCodesOf(ROUTES[operation])) {
        emulator.failNext({ code });
        await call(client, known).catch(() => null);
      }
      await call(client, known).catch(() => null);
    }
    const described = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      );
    const missing = described.filter((each) => !seen.includes(each)).map((each) => `${each}: no response`);
    return { responses: seen.length + found.length, found: [...found, ...missing] };
  }

  test('Prism finds no fault in a walk through every operation and status of the API', async () => {
    const prism = await startPrism(document);
    const { responses, found } = await walk(prism.url).finally(prism.stop);
    conclude('Prism', `${Object.keys(CALLS).length} operations, ${responses} responses`, found, EXCUSES);
  });

  test('Prism finds a fault that was added to the OpenAPI document', async () => {
    const faulty = structuredClone(document);
    const app = faulty.components.schemas['App'] as { properties: Record<string, object> };
    app.properties['name'] = { type: 'integer' };
    const prism = await startPrism(faulty);
    const response = await fetch(`${prism.url}/v1/apps/current`, {
      headers: { authorization: `Bearer ${emulator.keys.test}` },
    }).finally(prism.stop);
    expect(response.headers.get('content-type')).toContain(OF_PRISM);
  });
});
