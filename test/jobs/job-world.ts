import { createSecretBox } from '../../shared/adapters/secret-box.ts';
import { createIds, createLocalNotices, systemRandom } from '../../shared/adapters/system.ts';
import { createValueBox } from '../../shared/adapters/value-box.ts';
import { PLANS } from '../../shared/core/accounts/plan.ts';
import type { JobKind } from '../../shared/core/domains/job.ts';
import type { AppId, DomainId, EventId } from '../../shared/core/ids.ts';
import { DAY_MS, type Instant } from '../../shared/core/instant.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { createAccount } from '../../shared/operations/accounts/create-account.ts';
import type { Caller, Context } from '../../shared/operations/context.ts';
import { createDomain } from '../../shared/operations/domains/create-domain.ts';
import type { OutboundRequest, OutboundResult } from '../../shared/ports/outbound.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { scheduleJob } from '../../shared/store/jobs/jobs.ts';
import { createSchema, migrateSchema } from '../../shared/store/migrations/migrate.ts';
import { openSqlite } from '../../shared/store/sqlite.ts';
import { autocommit, closeStore, type Store } from '../../shared/store/store.ts';

/** A service without HTTP: a store in memory, a clock that stands still, and an outbound client whose responses the test sets. */
export interface JobWorld extends AsyncDisposable {
  context: Context;
  clock: Clock & { move(byMs: number): void };
  /** The webhook attempts, in the order in which they were sent. */
  sent: Sent[];
  /** Returns the response to an attempt. By default, this is an immediate 200. */
  answer: (sent: Sent) => OutboundResult | Promise<OutboundResult>;
  /** Messages that were logged as warnings or errors. */
  logged: string[];
  /** Adds an app whose webhooks go to `http://<name>.example/`. */
  addApp(name: string): Promise<Caller>;
  addDomain(caller: Caller, hostname: string): Promise<DomainId>;
}

export interface Sent {
  app: string;
  event_id: EventId;
  delivery_id: string;
  domain_id: DomainId;
  type: string;
}

export const START: Instant = Date.parse('2026-01-01T00:00:00Z');

export function status(statusCode: number): OutboundResult {
  return { ok: true, status_code: statusCode, headers: {}, response_ms: 1 };
}

const KEY_RING = { current: 'k1', keys: new Map([['k1', new Uint8Array(32)]]) };

/**
 * Returns an empty world.
 * @param clock a real clock for tests that sleep. By default the clock stands still.
 * @param given a store to use in place of SQLite in memory; the caller closes it.
 */
export async function jobWorld(clock: Clock = standingClock(), given?: Store): Promise<JobWorld> {
  const store = given ?? openSqlite(null);
  await (given === undefined ? createSchema(store) : migrateSchema(store));
  const logged: string[] = [];
  const world: JobWorld = {
    clock: { move: cannotMove, ...clock },
    sent: [],
    logged,
    answer: () => status(200),
    context: {
      settings: { ...SETTINGS },
      store,
      clock,
      wallClock: clock,
      random: systemRandom,
      ids: createIds(clock, systemRandom),
      secrets: createSecretBox(KEY_RING, systemRandom),
      outbound: {
        check: async () => 'allowed',
        close: async () => undefined,
        async send(request) {
          const sent = readSent(request);
          world.sent.push(sent);
          return world.answer(sent);
        },
      },
      cnameLookup: { chain: async () => [] },
      dns: null,
      pathProbe: null,
      oneClick: null,
      mailer: null,
      billing: null,
      issuance: null,
      notices: createLocalNotices(),
      edges: { box: createValueBox(KEY_RING, systemRandom), installation: 'test' },
      log: {
        info: () => undefined,
        warn: (_, message) => logged.push(message),
        error: (_, message) => logged.push(message),
      },
    },
    async addApp(name) {
      const terms = {
        plan: 'scale',
        trial_ends_at: null,
        created_at: clock.now() - 30 * DAY_MS,
      } as const;
      const webhookUrl = `http://${name}.example/`;
      const { app, account } = await createAccount(world.context, { name, terms, webhook_url: webhookUrl });
      const keyId = world.context.ids('key');
      return { app_id: app.id, account_id: account.id, key_id: keyId, mode: 'test', idempotency: null };
    },
    async addDomain(caller, hostname) {
      const { body } = await createDomain(world.context, caller, { body: { hostname } });
      return body.id as DomainId;
    },
    [Symbol.asyncDispose]: () => closeStore(store),
  };
  return world;
}

/** Schedules a job that belongs to no app. */
export async function addJob(
  { context }: JobWorld,
  subjectId: string,
  dueAt: Instant,
  kind: JobKind = 'advance',
): Promise<void> {
  await scheduleJob(autocommit(context.store), { kind, subject_id: subjectId, app_id: null, due_at: dueAt });
}

/** Returns the callers' app ids in ascending order. A claim goes through the apps in this order. */
export function sortedById(callers: readonly Caller[]): AppId[] {
  return callers.map(({ app_id }) => app_id).sort();
}

function cannotMove(): never {
  throw new TypeError('this clock runs by itself');
}

function standingClock(): JobWorld['clock'] {
  let now = START;
  return {
    now: () => now,
    move(byMs) {
      now += byMs;
    },
  };
}

function readSent({ url, headers, body = '' }: OutboundRequest): Sent {
  const event = JSON.parse(body);
  return {
    app: new URL(url).hostname.split('.')[0] ?? '',
    event_id: event.id,
    delivery_id: headers['Service-Delivery-Id'] ?? '',
    domain_id: event.data.domain.id,
    type: event.type,
  };
}

const SETTINGS: Context['settings'] = {
  names: serviceNames('Service'),
  baseUrl: 'http://127.0.0.1:1',
  hostUrl: 'https://{host}',
  docsUrl: 'http://127.0.0.1:1/docs',
  edgeZone: 'edge.service.test',
  challengeZone: null,
  sandboxZone: 'sandbox.service.test',
  edgeIpv4: ['127.0.0.1'],
  edgeIpv6: ['::1'],
  caaIssuers: [],
  serviceZones: ['service.test'],
  plans: PLANS,
  signUp: 'invite',
  operators: [],
  printsSignInLinks: false,
  revokesOnDelete: false,
  rate: { perSecond: 100, burst: 200 },
  appRate: null,
  retentionMs: 30 * DAY_MS,
  trafficRetentionMs: 400 * DAY_MS,
  timerForLive: true,
  allowLoopback: true,
  singleProcess: false,
};
