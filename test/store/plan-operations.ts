import { readReadiness } from '../../service/health/readiness.ts';
import { JOB_KINDS } from '../../shared/core/domains/job.ts';
import { edgeKey } from '../../shared/core/edge/edge-value.ts';
import type { DomainId } from '../../shared/core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/instant.ts';
import { noTraffic } from '../../shared/core/traffic/traffic-counts.ts';
import { startOf } from '../../shared/core/traffic/traffic-range.ts';
import { COMMON_HANDLERS } from '../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../shared/jobs/job-worker.ts';
import { createRunner } from '../../shared/jobs/runner.ts';
import { getAppOverview } from '../../shared/operations/apps/present-app.ts';
import { closeChallenges, openChallenge } from '../../shared/operations/certificates/open-challenges.ts';
import { transact } from '../../shared/operations/context.ts';
import { hold, release } from '../../shared/operations/domains/hold-hostname.ts';
import { repairSchedules } from '../../shared/operations/domains/repair-schedules.ts';
import { claimDueLanes } from '../../shared/operations/events/deliver-events.ts';
import { listStoredCertificates, showCertificates } from '../../shared/operations/operator/certificates.ts';
import { pruneStore } from '../../shared/operations/prune-store.ts';
import { findDnsChallenges } from '../../shared/store/certificates/challenges.ts';
import { claimJobs } from '../../shared/store/claim-jobs.ts';
import { currentMark } from '../../shared/store/commit-order.ts';
import {
  countDomainsRoutedThrough,
  countDomainsWithOrigin,
  findDomainsBrokenBy,
} from '../../shared/store/domains/feature-use.ts';
import { findRoutedDomains } from '../../shared/store/domains/routes.ts';
import type { DueApp } from '../../shared/store/due-apps.ts';
import {
  findEdgeValues,
  listEdgeChanges,
  listEdgeDeletions,
  listEdgeValues,
  listEdgeVersions,
} from '../../shared/store/edge/edge-values.ts';
import { listReconciled, RECONCILED } from '../../shared/store/edge/reconciled.ts';
import { readBacklogByApp } from '../../shared/store/events/backlog.ts';
import { selectJobs } from '../../shared/store/jobs/jobs.ts';
import { answersNotSealedUnder, appsNotSealedUnder } from '../../shared/store/sealed/sealed.ts';
import { dataKeysNotSealedUnder, orderKeysNotSealedUnder } from '../../shared/store/sealed/sealed-keys.ts';
import { writeTraffic } from '../../shared/store/traffic/write-traffic.ts';
import { idOf } from '../bench/million/fill-expressions.ts';
import { NO_METER } from '../bench/million/meter.ts';
import { measureOrders } from '../bench/million/orders.ts';
import type { MillionWorld } from '../bench/million/world.ts';
import { rightDns } from '../operations/certificates/right-dns.ts';

/** Runs an operation of the service whose query plans a test examines. */
export type PlanOperation = (world: PlanWorld) => Promise<unknown>;
type PlanWorld = Pick<MillionWorld, 'context' | 'served' | 'client' | 'fill'>;

/** The ids of a domain of the large app and of a domain of another app. */
const LARGE_DOMAIN = idOf('dom', 400) as DomainId;
const DOMAIN = idOf('dom', 401) as DomainId;
const HOSTNAME = 'careers.customer-401.example.com';

const get =
  (path: string): PlanOperation =>
  ({ served }) =>
    served.send('GET', path);

/** The operations that read big tables. They run in this order, because some create due work for later ones. */
export const PLAN_OPERATIONS: Readonly<Record<string, PlanOperation>> = {
  'GET /v1/domains': get('/v1/domains'),
  'GET /v1/domains of a status': get('/v1/domains?status=cert_failed'),
  'GET /v1/domains of a prefix and a status': get('/v1/domains?hostname=careers.customer-4&status=active'),
  'GET /v1/domains of metadata': get('/v1/domains?metadata.customer=c400'),
  'GET /v1/domains/{id}': get(`/v1/domains/${LARGE_DOMAIN}`),
  'GET /v1/events': get('/v1/events'),
  'GET /v1/events of a type': get('/v1/events?type=domain.active'),
  'GET /v1/events of failed deliveries': get('/v1/events?delivery=failed'),
  'GET /v1/events of pending deliveries': get('/v1/events?delivery=pending'),
  'GET /v1/events of a domain': get(`/v1/events?domain_id=${LARGE_DOMAIN}`),
  'GET /v1/events/{id}': get(`/v1/events/${idOf('evt', 1203)}`),
  'GET /v1/traffic by hour': get('/v1/traffic?interval=hour'),
  'GET /v1/traffic by day': get('/v1/traffic?interval=day'),
  'GET /v1/domains/{id}/traffic': get(`/v1/domains/${LARGE_DOMAIN}/traffic`),
  'GET /v1/apps/current': get('/v1/apps/current'),
  'the overview of the dashboard': ({ context, served }) => getAppOverview(context, served.app.app_id),
  'POST /v1/domains': ({ served }) => served.send('POST', '/v1/domains', { hostname: 'new.example.com' }),
  'PATCH /v1/domains/{id}': ({ served }) =>
    served.send('PATCH', `/v1/domains/${LARGE_DOMAIN}`, { metadata: { customer: 'other' } }),
  'DELETE /v1/domains/{id}': ({ served }) => served.send('DELETE', `/v1/domains/${idOf('dom', 404)}`),
  'PATCH /v1/apps/current with a target': ({ served }) =>
    served.send('PATCH', '/v1/apps/current', { origin_url: 'http://127.0.0.1:9/' }),
  'a runner with checks and deliveries': async ({ context }) => {
    const { check_dns } = COMMON_HANDLERS;
    const quick = {
      ...context,
      dns: rightDns({ caa: null }),
      outbound: {
        ...context.outbound,
        send: async () => ({ ok: true as const, status_code: 200, headers: {}, response_ms: 1 }),
      },
    };
    const limits = { inFlightMax: 400, inFlightPerAccountMax: 20 };
    const handlers = { ...(check_dns && { check_dns }) };
    const runner = createRunner(quick, { handlers, limits, pollMs: 1_000 });
    await runner.runDue(1_000);
    await runner.nextDue();
    await createJobWorker(quick, handlers, () => undefined).claim();
  },
  'certificate orders': (world) => measureOrders({ ...world, meter: NO_METER }),
  pruning: ({ context }) => pruneStore(context),
  'a repair of schedules': ({ context }) => repairSchedules(context),
  'the open DNS-01 challenges of a domain': ({ context: { store } }) => findDnsChallenges(store, [DOMAIN]),
  'a challenge that opens and closes': async ({ context }) => {
    const [hostname, token, domainId] = [
      'careers.customer-405.example.com',
      'token',
      idOf('dom', 405) as DomainId,
    ];
    const challenge = { hostname, token, domain_id: domainId, key_authorization: 'token.key' };
    await transact(context, (tx) => openChallenge(tx, { ...challenge, method: 'http-01' }));
    await transact(context, (tx) => closeChallenges(tx, domainId));
  },
  'the route of a hostname': ({ context: { store } }) => findRoutedDomains(store, [HOSTNAME]),
  'the values of edges for a changed hostname and a changed app': ({ context, served }) =>
    transact(context, async ({ notices }) => {
      notices.publish({ kind: 'route', hostname: HOSTNAME });
      notices.publish({ kind: 'routes', app_id: served.app.app_id });
    }),
  'the changes of the values of edges': async ({ context: { store } }) => {
    const since = await currentMark(store, 'edge_values');
    await listEdgeChanges(store, { since, until: null }, { after: '', limit: 2_000 });
  },
  'a page of the values of edges': async ({ context: { store, clock } }) => {
    const page = { after: edgeKey('host', HOSTNAME), limit: 2_000 };
    await listEdgeValues(store, page);
    await listEdgeVersions(store, page);
    await findEdgeValues(store, [page.after]);
    await listEdgeDeletions(store, { since: clock.now() - DAY_MS, ...page });
  },
  'a page of a reconciliation': async ({ context: { store } }) => {
    for (const of of RECONCILED) await listReconciled(store, of, { after: HOSTNAME, limit: 200 });
  },
  'a scrape of /metrics': ({ context }) => readReadiness(context, false),
  'the backlog by app': ({ context: { store, clock } }) => readBacklogByApp(store, clock.now(), 20),
  'service jobs list': ({ context: { store } }) => selectJobs(store, { limit: 100 }),
  'service certificates list': ({ context }) => listStoredCertificates(context, { limit: 100 }),
  'service certificates show': ({ context }) => showCertificates(context, HOSTNAME),
  'a hold of a name': async ({ context }) => {
    await hold(context, 'bench', 'careers.customer-402.example.com', null);
    await release(context, 'bench', 'careers.customer-402.example.com');
  },
  'a rotation of the encryption key': async ({ context: { store } }) => {
    await appsNotSealedUnder(store, 'k2', 100);
    await answersNotSealedUnder(store, 'k2', 100);
    await dataKeysNotSealedUnder(store, 'k2', 100);
    await orderKeysNotSealedUnder(store, 'k2', 100);
  },
  'the domains of an ended plan': ({ context: { store }, served }) =>
    findDomainsBrokenBy(
      store,
      {
        appId: served.app.app_id,
        modes: ['live'],
        reasons: ['whitelabel_record_missing'],
        brokenHost: 'white.example.com',
      },
      100,
    ),
  'the use of features by an app': async ({ context: { store }, served }) => {
    await countDomainsWithOrigin(store, served.app.app_id);
    await countDomainsRoutedThrough(store, served.app.app_id, 'white.example.com');
  },
  'a write of traffic': ({ context: { store, clock } }) => {
    const domains = new Map([DOMAIN, LARGE_DOMAIN].map((id) => [id, noTraffic().fill(1)]));
    const hour = startOf(clock.now(), HOUR_MS);
    return writeTraffic(store, { writer: 'test', number: 1, hour, domains, apps: new Map() }, clock.now());
  },
  'PATCH /v1/apps/current without a webhook URL': ({ served }) =>
    served.send('PATCH', '/v1/apps/current', { webhook_url: null }),
  'a claim of jobs beside a backlog': async ({ context: { store, clock, ids }, served }) => {
    const now = clock.now();
    const lease = { lease_until: now + MINUTE_MS, makeLeaseId: () => ids('lea') };
    const roomOf = ({ account_id }: DueApp) => (account_id === served.app.account_id ? 0 : 50);
    const shareOut = () => ({ roomOf, takes: () => true });
    await claimJobs(store, { now, ...lease, limit: 50, kinds: JOB_KINDS, shareOut });
    await claimJobs(store, { now, ...lease, limit: 50, kinds: JOB_KINDS });
  },
  'a claim of lanes beside a backlog': async ({ context }) => {
    const room = { appsMax: 200, lanesMax: 200, afterAppId: '', fullAccounts: [], shareOut: () => () => 20 };
    await claimDueLanes(context, room);
  },
};

/** Statements that prepare an operation. The service never sends them, so their plans do not matter. */
export const PREPARATIONS: Readonly<Record<string, PlanOperation>> = {
  'a runner with checks and deliveries': ({ client, fill }) =>
    client.query(
      `update jobs set due_at = ${fill.now} where kind = 'check_dns' and subject_id = '${DOMAIN}'`,
    ),
  'the open DNS-01 challenges of a domain': ({ client }) =>
    client.query(
      `insert into challenges (hostname, token, domain_id, method, key_authorization) values ($1, 'token', $2, 'dns-01', 'a')`,
      [HOSTNAME, DOMAIN],
    ),
  // From this operation on, a quarter of all domains have a due check and a due delivery.
  'a claim of jobs beside a backlog': async ({ client, served, fill }) => {
    const app = `app_id = '${served.app.app_id}'`;
    const dueAt = fill.now - HOUR_MS;
    // Mixes the due times, so that their order differs from the order of the rows in the table.
    const mixed = `${dueAt} + ('x' || substr(md5(subject_id), 1, 5))::bit(20)::integer`;
    await client.query(`update jobs set due_at = ${mixed} where kind = 'check_dns' and ${app}`);
    await client.query(
      `update events set delivery_status = 'pending', next_attempt_at = ${dueAt} where ${app} and seq = 3`,
    );
    await client.query(`update lanes set due_at = ${dueAt} where ${app}`);
  },
};
