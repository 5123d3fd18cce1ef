/** Programs that use the modules of the package. Each prints one line if all calls succeed. */

const USE = `
const app = await createClient({ apiKey: process.env.NAMEPLATE_API_KEY, baseUrl: process.env.NAMEPLATE_BASE_URL }).apps.get();
const forged = await verifyWebhook({ body: new ArrayBuffer(2), headers: {}, secret: 'whsec_1' }).catch((error) => error);
if (!app.id.startsWith('app_') || !(forged instanceof WebhookSignatureError) || typeof NameplateConnect !== 'function') throw new Error('wrong');
console.log('works in ' + FORM);`;

export const PROGRAMS = {
  'main.mjs': `
import { createClient } from 'nameplate/client';
import { verifyWebhook, WebhookSignatureError } from 'nameplate/webhooks';
import { NameplateConnect } from 'nameplate/connect';
const FORM = 'an ES module';${USE}`,
  'main.cjs': `
const { createClient } = require('nameplate/client');
const { verifyWebhook, WebhookSignatureError } = require('nameplate/webhooks');
const { NameplateConnect } = require('nameplate/connect');
const FORM = 'CommonJS';
(async () => {${USE}})();`,
};

/** A TypeScript program that narrows the types of events, passes values of process.env, and uses the component `<nameplate-connect>`. */
export const TYPED = `
import { type Client, createClient } from 'nameplate/client';
import { verifyWebhook, type WebhookEvent } from 'nameplate/webhooks';
import { NameplateConnect } from 'nameplate/connect';
declare const process: { env: Record<string, string | undefined> };
const client: Client = createClient({ apiKey: process.env['KEY'], baseUrl: process.env['URL'], timeoutMs: undefined });
export async function use(body: ArrayBuffer, signal: AbortSignal | undefined): Promise<string> {
  await client.domains.list({ cursor: undefined, status: 'active' }, { signal });
  const event: WebhookEvent = await verifyWebhook({ body, headers: {}, secret: process.env['SECRET'], now: undefined });
  switch (event.type) {
    case 'domain.active':
      return event.data.domain.dns.cname?.name ?? event.data.domain.hostname;
    // @ts-expect-error no event has this type
    case 'domain.actve':
      return '';
    default:
      return event.data.domain.status satisfies 'pending_dns' | 'verifying' | 'issuing' | 'active' | 'dns_broken' | 'cert_failed' | 'expired' | 'held' | 'deleted';
  }
}
export function show(element: NameplateConnect): void {
  element.getToken = () => 'ct_1';
  element.addEventListener('nameplate:active', ({ detail }) => detail.hostname.toUpperCase());
  document.addEventListener('nameplate:error', ({ detail }) => detail.code.length);
}
`;

export const TYPED_JSX = `
import { NameplateConnect } from 'nameplate/connect/react';
export const wrapped = <NameplateConnect token="ct_1" baseUrl="" onActive={({ hostname }) => hostname.length} getToken={undefined} />;
export const plain = <nameplate-connect token="ct_1" base-url="https://api.example.net" />;
`;

export const WORKER = `
import { createClient } from 'nameplate/client';
import { verifyWebhook } from 'nameplate/webhooks';
export default {
  async fetch(request, env) {
    const app = await createClient({ apiKey: env.KEY, baseUrl: env.URL }).apps.get();
    const forged = await verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret: 'whsec_1' }).catch((error) => error);
    return new Response(app.id + ' ' + forged.reason);
  },
};
`;

export const workerConfig = (port: number, date: string, key: string, url: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "${date}",
      bindings = [(name = "KEY", text = "${key}"), (name = "URL", text = "${url}")],
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`;

/** A Next.js app. Its page reads the current app from the API, and its route verifies webhooks. */
export const NEXT = {
  'package.json': '{"private":true,"type":"module"}',
  'app/layout.jsx':
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  'app/page.jsx': `import { createClient } from 'nameplate/client';
export default async function Page() {
  const { name } = await createClient({ apiKey: process.env.KEY, baseUrl: process.env.URL }).apps.get();
  return <p>The app is {name}.</p>;
}`,
  'app/connect/page.jsx': `import { NameplateConnect } from 'nameplate/connect/react';
export default function Page() { return <NameplateConnect token="ct_1" baseUrl="https://api.example.net" />; }`,
  'app/webhooks/route.js': `import { verifyWebhook } from 'nameplate/webhooks';
export async function POST(request) {
  const failed = await verifyWebhook({ body: await request.arrayBuffer(), headers: request.headers, secret: 'whsec_1' }).catch((error) => error);
  return new Response(failed.reason, { status: 400 });
}`,
};

export const JEST = `
const { createClient, ApiError } = require('nameplate/client');
const { verifyWebhook } = require('nameplate/webhooks');
test('reads the app, and refuses a forged webhook', async () => {
  const { NAMEPLATE_API_KEY: apiKey, NAMEPLATE_BASE_URL: baseUrl } = process.env;
  expect((await createClient({ apiKey, baseUrl }).apps.get()).id).toMatch(/^app_/);
  await expect(createClient({ apiKey: 'sk_test_0', baseUrl }).apps.get()).rejects.toBeInstanceOf(ApiError);
  await expect(verifyWebhook({ body: Buffer.from('{}'), headers: {}, secret: 'whsec_1' })).rejects.toThrow('Service-Signature');
});
`;

export const VITEST_JSDOM = `// @vitest-environment jsdom
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import 'nameplate/connect';
import { verifyWebhook } from 'nameplate/webhooks';
test('verifies bytes, and defines the component', async () => {
  expect(customElements.get('nameplate-connect')).toBeDefined();
  const body = JSON.stringify({ id: 'evt_1', type: 'domain.active', data: {} });
  const t = Math.floor(Date.now() / 1000);
  const signature = 't=' + t + ',v1=' + createHmac('sha256', 'whsec_1').update(t + '.' + body).digest('hex');
  for (const each of [body, Buffer.from(body), new TextEncoder().encode(body), Uint8Array.from(Buffer.from(body)).buffer])
    expect((await verifyWebhook({ body: each, signature, secret: 'whsec_1' })).id).toBe('evt_1');
});
`;
