import type { OperationId } from '../../../shared/schema/routes.ts';

/** The example request on the page of an API operation. */
export interface OperationSample {
  /** The query string with its `?`. */
  query?: string;
  body?: Readonly<Record<string, unknown>>;
  /** The command line that sends the request, without `npx nameplate`. */
  command: string;
  /** Statements that send the request with `client`, a client of `nameplate/client`. */
  client: string;
}

/** The ids that the samples use. */
export const EXAMPLE_IDS = {
  Apps: '',
  Keys: 'key_01k9v3r7s9t1v3w5x7y9z1a3bc',
  Domains: 'dom_01k9v3m8x7c5d2f0q4t6w1z8ab',
  Events: 'evt_01k9v3p5b8c1d4f7g0h3j6k9mn',
} as const;
const { Keys: KEY, Domains: DOMAIN, Events: EVENT } = EXAMPLE_IDS;

export const OPERATION_SAMPLES: Readonly<Record<OperationId, OperationSample>> = {
  getApp: {
    command: 'apps get',
    client: 'const app = await client.apps.get();\nconsole.log(app.origin_url, app.origin_reachable);',
  },
  updateApp: {
    body: { webhook_url: 'https://hooks.acme-careers.com/domains' },
    command: 'apps update --webhook https://hooks.acme-careers.com/domains',
    client:
      "const app = await client.apps.update({ webhook_url: 'https://hooks.acme-careers.com/domains' });\nconsole.log(app.webhook_url);",
  },
  rotateSigningSecret: {
    command: 'apps rotate-secret --yes',
    client:
      'const { signing_secret, previous_valid_until } = await client.apps.rotateSecret();\nconsole.log(signing_secret, previous_valid_until);',
  },
  listKeys: {
    command: 'keys list',
    client: 'for await (const key of client.keys.all()) console.log(key.id, key.name);',
  },
  createKey: {
    body: { name: 'Build server', mode: 'test' },
    command: "keys create --name 'Build server' --mode test",
    client:
      "const created = await client.keys.create({ name: 'Build server', mode: 'test' });\nconsole.log(created.key);",
  },
  revokeKey: { command: `keys revoke ${KEY} --yes`, client: `await client.keys.revoke('${KEY}');` },
  createDomain: {
    body: { hostname: 'careers.acme.com', metadata: { customer: '42' } },
    command: 'domains add careers.acme.com --metadata customer=42',
    client:
      "const domain = await client.domains.create({\n  hostname: 'careers.acme.com',\n  metadata: { customer: '42' },\n});\nconsole.log(domain.status, domain.dns.cname, domain.connect_url);",
  },
  listDomains: {
    query: '?status=active&limit=20',
    command: 'domains list --status active --limit 20',
    client:
      "for await (const domain of client.domains.all({ status: 'active' })) {\n  console.log(domain.id, domain.hostname);\n}",
  },
  getDomain: {
    command: `domains get ${DOMAIN}`,
    client: `const domain = await client.domains.get('${DOMAIN}');\nconsole.log(domain.status, domain.status_reason);`,
  },
  updateDomain: {
    body: { metadata: { customer: '42', team: 'people' } },
    command: `domains update ${DOMAIN} --metadata customer=42 --metadata team=people`,
    client: `const domain = await client.domains.update('${DOMAIN}', {\n  metadata: { customer: '42', team: 'people' },\n});\nconsole.log(domain.metadata);`,
  },
  deleteDomain: {
    command: `domains remove ${DOMAIN} --yes`,
    client: `await client.domains.delete('${DOMAIN}');`,
  },
  verifyDomain: {
    command: `domains verify ${DOMAIN}`,
    client: `console.log(await client.domains.verify('${DOMAIN}'));`,
  },
  createConnectToken: {
    body: { expires_in_s: 3600 },
    command: `api POST /v1/domains/${DOMAIN}/connect-tokens --input - <<'JSON'\n{"expires_in_s":3600}\nJSON`,
    client: `const { token, base_url } = await client.domains.createConnectToken('${DOMAIN}', { expires_in_s: 3600 });\nconsole.log(token, base_url);`,
  },
  diagnoseDomain: {
    command: `domains diagnose ${DOMAIN}`,
    client: `const diagnosis = await client.domains.diagnose('${DOMAIN}');\nfor (const { code, hint } of diagnosis.findings) console.log(code, hint);`,
  },
  listCertificates: {
    command: `certificates history ${DOMAIN}`,
    client: `const { data } = await client.domains.certificates('${DOMAIN}');\nfor (const { issuer, served_from } of data) console.log(issuer, served_from);`,
  },
  getDomainTraffic: {
    query: '?interval=day',
    command: `domains traffic ${DOMAIN} --interval day`,
    client: `const { totals, buckets } = await client.domains.traffic('${DOMAIN}', { interval: 'day' });\nconsole.log(totals.requests, buckets.map(({ start, requests }) => [start, requests]));`,
  },
  getTraffic: {
    query: '?limit=10',
    command: 'domains traffic --limit 10',
    client:
      'const { totals, top_domains } = await client.traffic.get({ limit: 10 });\nconsole.log(totals.requests, top_domains.map(({ hostname, requests }) => [hostname, requests]));',
  },
  listEvents: {
    query: '?type=domain.active&limit=20',
    command: 'events list --type domain.active --limit 20',
    client:
      "for await (const event of client.events.all({ type: 'domain.active' })) {\n  console.log(event.hostname, event.delivery.status);\n}",
  },
  streamEvents: {
    command: 'events tail --json',
    client:
      'for await (const event of client.events.follow()) {\n  console.log(event.type, event.hostname);\n}',
  },
  getEvent: {
    command: `events get ${EVENT}`,
    client: `const event = await client.events.get('${EVENT}');\nconsole.log(event.type, event.deliveries);`,
  },
  redeliverEvent: {
    command: `events redeliver ${EVENT}`,
    client: `const delivery = await client.events.redeliver('${EVENT}');\nconsole.log(delivery.status_code);`,
  },
};

/** Returns a complete program: code that creates `client`, followed by the statements. */
export function javascript(statements: string): string {
  return `import { createClient } from 'nameplate/client';

const client = createClient({
  apiKey: process.env.NAMEPLATE_API_KEY,
  baseUrl: '{base_url}',
});

${statements}`;
}
