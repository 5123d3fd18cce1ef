import type { H3 } from 'h3';
import { expect } from 'vitest';
import { createPasskeys } from '../../service/identity/passkeys.ts';
import { serveConnect } from '../../shared/connect/serve-connect.ts';
import { ROLES, type Role } from '../../shared/core/accounts/member.ts';
import { passkeySite } from '../../shared/core/accounts/passkey.ts';
import { PLAN_NAMES } from '../../shared/core/accounts/plan.ts';
import { DASHBOARD_ROUTES } from '../../shared/dashboard/dashboard-routes.ts';
import { ROUTE_PERMISSIONS } from '../../shared/dashboard/route-permissions.ts';
import { serveDashboard } from '../../shared/dashboard/serve-dashboard.ts';
import { createApi } from '../../shared/http/api.ts';
import { transact } from '../../shared/operations/context.ts';
import { startSession } from '../../shared/operations/members/sign-in.ts';
import { openApiDocument } from '../../shared/schema/openapi/openapi.ts';
import { ROUTES } from '../../shared/schema/routes.ts';
import { insertMember } from '../../shared/store/accounts/members.ts';
import { autocommit } from '../../shared/store/store.ts';
import type { Json, OpenApiDocument } from '../conformance/openapi/openapi-requests.ts';
import { jobWorld, status } from '../jobs/job-world.ts';
import type { OpenStore } from '../store/open-store.ts';
import { buildRequest, HOSTILE_TEXTS, hostileRequests } from './hostile-requests.ts';

const ORIGIN = 'http://localhost:1';
const ROUND = 50;
/** From this number of requests on, the test expects that each route succeeds at least once. */
const ENOUGH = 10_000;
/** Maximum number of ids of one kind from which requests choose. */
const IDS_MAX = 20;

/** The short run: `npm test` sends these requests to the dashboard on SQLite, and `npm run test:all` also to the dashboard on Postgres. */
export const QUICK = { requests: 1_500, seed: 20_261_127 };

/**
 * Sends generated requests to the dashboard's API and to the connect pages, signed in with each role. Checks that no response is a 5xx, that
 * nothing is logged as a failure, and that routes succeed too, so that the requests get past the first check.
 */
export async function fuzzDashboard(open: OpenStore, { requests, seed }: { requests: number; seed: number }) {
  await using opened = await open();
  const world = await jobWorld(undefined, opened.store);
  const { context } = world;
  context.settings = {
    ...context.settings,
    baseUrl: ORIGIN,
    signUp: 'open',
    rate: { perSecond: 1e4, burst: 1e6 },
  };
  // Probes of origins and test events get the response 200 immediately.
  context.outbound = { ...context.outbound, send: async () => status(200) };
  const site = passkeySite(ORIGIN);
  const app = createApi(context, {}, (server, handle) =>
    serveDashboard(server, context, handle, {
      isOpen: false,
      addition: null,
      passkeys: site && createPasskeys(site, 'Service'),
      identityProvider: null,
      admission: null,
    }),
  );
  serveConnect(app as H3, () => ({ context, appId: null }));

  const caller = await world.addApp('acme');
  for (const role of ROLES) await insertMember(autocommit(context.store), memberOf(role));
  function memberOf(role: Role) {
    const at = context.clock.now();
    const id = context.ids('mem');
    return { id, account_id: caller.account_id, mail: mailOf(role), role, created_at: at, joined_at: at };
  }

  // Most requests use the same app, so that they find resources that earlier requests created.
  const domains: string[] = [];
  for (let n = 0; n < 9; n++) {
    const mode = n % 3 === 0 ? 'live' : 'test';
    domains.push(await world.addDomain({ ...caller, mode }, `pinned-${n}.acme.com`));
  }
  const pinned: Record<string, string[]> = {
    acc: Array(6).fill(caller.account_id),
    app: Array(6).fill(caller.app_id),
    dom: domains,
  };
  const known = new Map<string, string[]>();
  const learn = (kind: string, value: string) => {
    const values = known.get(kind) ?? [];
    known.set(kind, [value, ...values.filter((each) => each !== value)].slice(0, IDS_MAX));
  };
  const idsFor = (placeholder: string, path: string): readonly string[] => {
    if (placeholder === 'mode') return ['test', 'test', 'test', 'live'];
    const kind = KINDS.find(([part]) => path.includes(part))?.[1] ?? '';
    const own = { account: 'acc', app: 'app', domain: 'dom', token: 'token' }[placeholder] ?? kind;
    return [...(pinned[own] ?? []), ...(known.get(own) ?? []).slice(0, own === 'app' ? 2 : IDS_MAX)];
  };

  const document = dashboardDocument(openApiDocument(context.settings) as unknown as OpenApiDocument);
  const cookies = new Map<Role, string>();
  const succeeded = new Set<string>();
  const failures: string[] = [];
  for (let sent = 0; sent < requests; sent += ROUND) {
    world.clock.move(1000);
    for (const [index, generated] of hostileRequests(document, ROUND, seed + sent).entries()) {
      const role = (index % 5 === 0 ? ROLES[index % ROLES.length] : undefined) ?? 'owner';
      const cookie = cookies.get(role) ?? (await signIn(role));
      const request = buildRequest(ORIGIN, generated, idsFor, { origin: ORIGIN, cookie });
      const shown = `${request.method} ${request.url.slice(0, 300)} ${JSON.stringify(generated).slice(0, 600)}`;
      const response = await app.fetch(request);
      const text = await response.text();
      if (response.status >= 500) failures.push(`seed ${seed + sent}: ${shown} got ${text.slice(0, 300)}`);
      if (response.status === 401 || response.status === 404) cookies.delete(role);
      if (response.status < 400) succeeded.add(generated[0].operationId);
      for (const [id = ''] of text.matchAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g)) learn(id.slice(0, 3), id);
      for (const [, token = ''] of text.matchAll(/\/connect\/([\w-]{16,64})/g)) learn('token', token);
    }
  }
  expect(failures).toEqual([]);
  expect(world.logged.filter((message) => message.includes('failed'))).toEqual([]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const missed = operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id));
  if (requests >= ENOUGH) expect(missed.filter((id) => !NEEDS_MORE.test(id))).toEqual([]);
  expect(succeeded.size).toBeGreaterThan(operations.length / 2);

  async function signIn(role: Role): Promise<string> {
    const browser = { sessionToken: null, userAgent: 'a\u009bb' };
    const { token } = await transact(context, (tx) => startSession(tx, mailOf(role), browser));
    cookies.set(role, `__Host-session=${token}`);
    return `__Host-session=${token}`;
  }
}

const mailOf = (role: Role) => `${role}@example.com`;

/**
 * Routes that cannot succeed here, because they need an authenticator, a mail, a billing provider or a receiver. Only their input is
 * checked.
 */
const NEEDS_MORE = /passkeys|links\/use|billing|test-event|connect\/mail|notify|PATCH .*members/;

/** The parts of a path that an id follows, each with the prefix of that id. */
const KINDS: readonly [part: string, kind: string][] = [
  ['/members/', 'mem'],
  ['/sessions/', 'ses'],
  ['/passkeys/', 'pky'],
  ['/keys/', 'key'],
  ['/events/', 'evt'],
  ['/domains/', 'dom'],
];

const text: Json = { type: 'string' };
const oneOf = (...values: readonly string[]): Json => ({ enum: [...values, ...HOSTILE_TEXTS.slice(0, 3)] });
const mail = oneOf('owner@example.com', ...Array.from({ length: 9 }, (_, n) => `new${n}@example.com`));
const passkey: Json = { type: 'object', properties: { id: text, rawId: text, response: { type: 'object' } } };

/** The fields of request bodies for routes that only the dashboard has. */
const BODIES: Readonly<Record<string, Record<string, Json>>> = {
  'POST /sign-in/links': { mail, next: oneOf('/dashboard/domains', '//evil.example') },
  'POST /sign-in/links/use': { token: oneOf('x'.repeat(43)) },
  'POST /sign-in/passkeys': { response: passkey },
  'POST /passkeys': { name: text, response: passkey },
  'POST /accounts': { name: text },
  'PATCH /accounts/{account}': { name: text, expected: { type: 'object', properties: { name: text } } },
  'POST /accounts/{account}/apps': { name: text },
  'POST /accounts/{account}/members': { mail, role: oneOf(...ROLES) },
  'PATCH /accounts/{account}/members/{id}': { role: oneOf(...ROLES) },
  'POST /accounts/{account}/billing/plan': { plan: oneOf(...PLAN_NAMES) },
  'POST /connect/{token}/notify': { address: mail },
};

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  'GET /accounts/{account}/audit': ['limit', 'before'],
  'GET /accounts/{account}/billing/preview': ['plan'],
  'GET /connect/{token}': ['lang', 'provider'],
};

const CONNECT = [
  ...['GET /connect/{token}', 'GET /connect/{token}/live', 'POST /connect/{token}/check'],
  ...['POST /connect/{token}/notify', 'GET /connect/mail/{token}', 'POST /connect/mail/{token}'],
  ...['GET /connect/mail/{token}/unsubscribe', 'POST /connect/mail/{token}/unsubscribe'],
];

/** Returns an OpenAPI document of the dashboard's routes. Routes that come from the API have the API's schemas. */
function dashboardDocument(api: OpenApiDocument): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {};
  const add = (path: string, method: string, operation: OpenApiDocument['paths'][string][string]) => {
    paths[path] = { ...paths[path], [method]: operation };
  };
  const own = DASHBOARD_ROUTES.filter(({ path }) => !path.endsWith('**')).map(
    ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
  );
  for (const id of [...own, ...CONNECT]) {
    const [method = '', path = ''] = id.split(' ');
    const properties = BODIES[id] ?? {};
    const schema = { type: 'object', properties, required: Object.keys(properties).slice(0, 1) };
    const isConnect = path.startsWith('/connect');
    add(isConnect ? path : `/dashboard/api${path}`, method.toLowerCase(), {
      operationId: id,
      parameters: (QUERIES[id] ?? []).map((name) => ({ name, in: 'query', schema: text })),
      ...(['POST', 'PATCH'].includes(method) && {
        requestBody: { content: { 'application/json': { schema } } },
      }),
      responses: {},
    });
  }
  for (const id of Object.keys(ROUTE_PERMISSIONS) as (keyof typeof ROUTE_PERMISSIONS)[]) {
    const { method, path } = ROUTES[id];
    const operation = api.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${id} is not in the document`);
    const below = path.replace('/v1/', '');
    add(`/dashboard/api/apps/{app}/{mode}/${below}`, method.toLowerCase(), operation);
  }
  return { paths, components: api.components };
}
