/** Defines a webhook as a receiver gets it (`rawBody`, `headers` and `secret`), signed without our own code. */
const RECEIVED = `
import { createHmac } from 'node:crypto';
const secret = 'whsec_' + Buffer.alloc(32, 7).toString('base64');
const rawBody = JSON.stringify({ id: 'evt_1', type: 'domain.active', data: { domain: { hostname: 'careers.acme.com' } } });
const now = Math.floor(Date.now() / 1000);
const digest = (key, text, encoding) => createHmac('sha256', key).update(text).digest(encoding);
const headers = {
  'service-signature': 't=' + now + ',v1=' + digest(secret, now + '.' + rawBody, 'hex'),
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(now),
  'webhook-signature': 'v1,' + digest(Buffer.from(secret.slice(6), 'base64'), 'evt_1.' + now + '.' + rawBody, 'base64'),
};
process.on('exit', () => { if (event.type !== 'domain.active') process.exitCode = 1; });
`;

const CLIENT = `
import { createClient } from 'nameplate/client';
const client = createClient({ apiKey: process.env.NAMEPLATE_API_KEY, baseUrl: process.env.NAMEPLATE_BASE_URL });
`;

/** Code that runs before a fragment of a page, as the reader's own program would. The fragment's attribute `prelude` names it. */
export const PRELUDES: Readonly<Record<string, string>> = {
  received: RECEIVED,
  stripe: `import Stripe from 'stripe';\nconst stripe = new Stripe('sk_test_1');\n${RECEIVED}`,
  standard: `import { Webhook } from 'standardwebhooks';\n${RECEIVED}`,
  domain: `
const headers = { authorization: 'Bearer ' + process.env.NAMEPLATE_API_KEY };
const response = await fetch(process.env.NAMEPLATE_BASE_URL + '/v1/domains', { headers });
const domainId = (await response.json()).data[0].id;
`,
  client: `${CLIENT}const hostname = 'signup.acme.com';\nconst customer = { id: 42 };\n`,
  follow: `${CLIENT}
const aborting = new AbortController();
const { signal } = aborting;
const lastEventId = (await client.events.list()).data.at(-1).id;
const handle = async (event) => { console.log(event.type); aborting.abort(); };
`,
};

/** TypeScript declarations of the names that each prelude defines. */
export const TYPED_PRELUDES: Readonly<Record<string, string>> = {
  received:
    "declare const rawBody: string, secret: string;\ndeclare const headers: Record<'service-signature', string>;\n",
  stripe: `import Stripe from 'stripe';
declare const stripe: Stripe, rawBody: string, secret: string;
declare const headers: Record<'service-signature', string>;
`,
  standard: `import { Webhook } from 'standardwebhooks';
declare const rawBody: string, secret: string;
declare const headers: Record<string, string>;
`,
  domain: 'declare const domainId: string;\n',
  client: `${CLIENT}declare const hostname: string, customer: { id: number };\n`,
  follow: `${CLIENT}declare const signal: AbortSignal, lastEventId: string;
declare function handle(event: unknown): Promise<void>;
`,
  browser: "import 'nameplate/connect';\n",
  react: 'declare const token: string, baseUrl: string, router: { push(address: string): void };\n',
};
