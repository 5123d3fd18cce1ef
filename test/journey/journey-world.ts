import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import { PROVIDER_PATH } from '../../shared/dashboard/provider-page.ts';
import {
  STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET,
  type StripeServer,
  startStripe,
} from '../billing/stripe/stripe-server.ts';
import { type OpenIdIssuer, startIssuer } from '../dashboard/openid-issuer.ts';
import { startAcmeProxy } from '../fixtures/acme/acme-proxy.ts';
import { startPebble } from '../fixtures/acme/pebble.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type RealInternet, startRealInternet } from '../fixtures/real-internet.ts';
import { startMailServer, type TestMailServer } from '../fixtures/smtp-server.ts';
import { startReceiver, type WebhookReceiver } from '../fixtures/webhook-receiver.ts';
import { RunningNode } from '../service/cluster/cluster.ts';
import { ALL_ADDRESSES, type HttpsOrigin, startOrigin } from '../service/edge/edge-cluster.ts';
import { edgeVisitor } from '../service/edge/edge-visitor.ts';
import { api, createDeployment } from '../service/run-service.ts';
import { type Gateway, startGateway } from './gateway.ts';

/** Loopback addresses of the edges. Receivers and origins use other addresses. */
const EDGE_ADDRESSES = ['127.0.0.21', '127.0.0.22'];
const EDGE_ZONE = 'edge.test';
/** The customer's zone. */
const ZONE = 'acme.test';

/**
 * Two nodes of the service as processes, on one Postgres and behind one address, with the DNS, CA, mail and billing services that they
 * need.
 */
export interface JourneyWorld extends AsyncDisposable {
  gateway: Gateway;
  mail: TestMailServer;
  stripe: StripeServer;
  issuer: OpenIdIssuer;
  receiver: WebhookReceiver;
  origin: HttpsOrigin;
  /** Sends an API request through the gateway, which passes it to the next node. */
  call(key: string, request: string, body?: object): ReturnType<typeof api>;
  /** Sets the records of the customer's zone. */
  setRecords(records: readonly string[]): Promise<void>;
  /** Returns the result of an HTTPS visit at the edge of each node. */
  visit(hostname: string): Promise<string[]>;
  /** Moves the clocks of both nodes, and runs the work that becomes due. */
  moveClock(byMs: number): Promise<void>;
}

export async function startJourney(): Promise<JourneyWorld> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), 'journey-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const file = (name: string) => path.join(folder, name);
  const net = stack.use(
    await startRealInternet({
      [ZONE]: { records: [] },
      [EDGE_ZONE]: { records: EDGE_ADDRESSES.map((address) => `* A ${address}`) },
    }),
  );
  const deployment = stack.use(await createDeployment());
  const receiver = stack.use(await startReceiver());
  const origin = stack.use(await startOrigin(file('origin-ca.pem')));
  const mail = stack.use(await startMailServer());
  // Nodes compare the signatures of Stripe's webhooks with the machine's clock, which the test cannot move.
  const stripe = stack.use(await startStripe({ now: Date.now }));
  const issuer = stack.use(await startIssuer());
  const gateway = stack.use(await startGateway());
  issuer.register(`${gateway.url}${PROVIDER_PATH}/callback`);
  const [httpPort, httpsPort] = [await freePort(ALL_ADDRESSES), await freePort(ALL_ADDRESSES)];
  const dnsServer = net.resolverAddresses[0] ?? '';
  const pebble = stack.use(await startPebble({ httpPort, httpsPort, dnsServer }));
  const proxy = stack.use(await startAcmeProxy(pebble));
  const { directory_url } = proxy;
  writeFileSync(file('roots.pem'), proxy.root);
  writeFileSync(
    file('cas.json'),
    JSON.stringify([{ name: 'pebble', directory_url, caa_issuers: ['pebble.test'] }]),
  );
  writeFileSync(
    file('plans.json'),
    JSON.stringify({
      ...PLANS,
      growth: { ...PLANS.growth, price: 'price_growth' },
      scale: { ...PLANS.scale, price: 'price_scale' },
    }),
  );
  const env = {
    ...deployment.env,
    NAMEPLATE_BASE_URL: gateway.url,
    NAMEPLATE_SIGN_UP: 'open',
    SMTP_URL: mail.url,
    NAMEPLATE_MAIL_FROM: 'dashboard@service.example',
    NAMEPLATE_BILLING: 'stripe',
    NAMEPLATE_STRIPE_SECRET_KEY: STRIPE_KEY,
    NAMEPLATE_STRIPE_WEBHOOK_SECRET: STRIPE_WEBHOOK_SECRET,
    NAMEPLATE_STRIPE_API_URL: stripe.url,
    NAMEPLATE_PLANS_FILE: file('plans.json'),
    NAMEPLATE_OIDC_ISSUER: issuer.settings.issuer,
    NAMEPLATE_OIDC_CLIENT_ID: issuer.settings.clientId,
    NAMEPLATE_OIDC_CLIENT_SECRET: issuer.settings.clientSecret,
    NAMEPLATE_OIDC_DOMAINS: issuer.settings.mailDomains.join(),
    NAMEPLATE_OIDC_NAME: issuer.settings.name,
    NAMEPLATE_CAS: file('cas.json'),
    NAMEPLATE_CA_ROOTS_FILE: file('roots.pem'),
    NAMEPLATE_EDGE_ZONE: EDGE_ZONE,
    NAMEPLATE_EDGE_IPV4: EDGE_ADDRESSES.join(),
    // Nothing listens at this IPv6 address, so visitors reach the edge only over IPv4.
    NAMEPLATE_EDGE_IPV6: '::1',
    NAMEPLATE_EDGE_PROBE_PORTS: `${httpPort},${httpsPort}`,
    NAMEPLATE_RESOLVERS: net.resolverAddresses.join(),
    NODE_EXTRA_CA_CERTS: file('origin-ca.pem'),
    AUTHORITY_PORT: String(net.authorityPort),
  };
  const nodes = EDGE_ADDRESSES.map((address) =>
    stack.use(
      new RunningNode({
        ...env,
        NAMEPLATE_EDGE_LISTEN: `${address}:${httpsPort}`,
        NAMEPLATE_EDGE_HTTP_LISTEN: `${address}:${httpPort}`,
      }),
    ),
  );
  await Promise.all(nodes.map((node) => node.start()));
  gateway.nodes = nodes.map(({ addresses }) => addresses?.api_url ?? '');
  stripe.webhookUrl = `${gateway.url}/webhooks/stripe`;
  const owned = stack.move();
  return {
    gateway,
    mail,
    stripe,
    issuer,
    receiver,
    origin,
    call: (key, request, body) => api(gateway.url, key, request, body),
    setRecords: (records) => setRecords(net, records),
    visit: (hostname) => Promise.all(EDGE_ADDRESSES.map((host) => visitEdge(host, hostname))),
    async moveClock(byMs) {
      await Promise.all(nodes.map((node) => node.moveClock(byMs)));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };

  async function visitEdge(host: string, hostname: string): Promise<string> {
    using visitor = edgeVisitor({ host, port: httpsPort }, pebble.root);
    const response = await visitor.visit(hostname).catch(() => null);
    return response === null ? 'refused' : `${response.status} ${response.body}`;
  }
}

/** Changes the customer's zone at its name servers, and clears the caches of the resolvers. */
async function setRecords(net: RealInternet, records: readonly string[]): Promise<void> {
  await net.change(ZONE, records);
  await Promise.all(net.resolvers.map((resolver) => resolver.forget(ZONE)));
}
