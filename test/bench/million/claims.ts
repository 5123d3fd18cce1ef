import { BUDGETS } from '../../../shared/core/budgets.ts';
import { JOB_KINDS, type JobKind } from '../../../shared/core/domains/job.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/instant.ts';
import type { JobHandlers } from '../../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../../shared/jobs/job-worker.ts';
import { createRunner } from '../../../shared/jobs/runner.ts';
import type { Context } from '../../../shared/operations/context.ts';
import { claimDueLanes } from '../../../shared/operations/events/deliver-events.ts';
import type { LeasedJob } from '../../../shared/store/jobs/jobs.ts';
import { inTransaction } from '../../../shared/store/store.ts';
import { type Fill, sqlId } from './fill-expressions.ts';
import { averageOf, type Cost } from './meter.ts';
import { measureScrape } from './reads.ts';
import type { Costs, MillionWorld, Part } from './world.ts';

/** Number of due jobs, and of due lanes, of the apps other than the large one. These are at most `DUE_APPS` apps. */
const OTHERS_DUE = 2_000;
const DUE_APPS = 50;
const LANES_MAX = 200;
const ENDED_AT_ONCE = 20;
/** Rounds before the measurement. In the first, the large app reaches its share of concurrent jobs; in the second, the other apps do. */
const WARM_ROUNDS = 2;
const ROUNDS = 5;
/** Number of jobs that end while another transaction stays open, as a share of the backlog: 40 000 with a backlog of 250 000. */
const FINISHED_SHARE = 0.16;

/** Measures claims of jobs and of lanes (event queues): alone, beside a backlog of the large app, and beside an open transaction. */
export const measureClaims: Part = async (world) => {
  const { client, fill, backlog, context, meter } = world;
  const costs: Costs = {};
  const runner = createRunner(context, { handlers: handlersOf(() => Promise.resolve(null)), ...DELIVERIES });
  const poll = async () => {
    await undone(context, (tx) => claimLanes(tx));
    await createJobWorker(
      context,
      handlersOf(() => Promise.resolve(null)),
      () => undefined,
    ).claim();
    await runner.nextDue();
  };
  await poll();
  costs['poll that finds nothing due'] = await meter.measure(poll);
  Object.assign(costs, await measureScrape(world, ''));

  await addJobs(world, OTHERS_DUE, OTHER_APPS, MINUTE_MS);
  costs['claim of jobs'] = await claimOfJobs(world);
  await addJobs(world, backlog, LARGE_APP, HOUR_MS);
  costs['claim of jobs beside a backlog'] = await claimOfJobs(world);
  Object.assign(costs, await measureScrape(world, ' during a backlog of jobs'));
  await clean(world);

  const { app_id } = world.served.app;
  const unhook = () => world.served.send('PATCH', '/v1/apps/current', { webhook_url: null });
  const hook = () =>
    client.query(
      `update apps set webhook_url = 'https://hooks.example.com/', webhook_epoch = 0 where id = '${app_id}'`,
    );
  await addLanes(world, OTHERS_DUE, OTHER_APPS, MINUTE_MS);
  costs['claim of lanes'] = await claimOfLanes(world, LANES_MAX);
  costs['claim of one lane'] = await claimOfLanes(world, 1);
  costs['PATCH webhook_url: null'] = await meter.measure(unhook);
  await hook();
  await addLanes(world, backlog, LARGE_APP, HOUR_MS);
  costs['claim of lanes beside a backlog'] = await claimOfLanes(world, LANES_MAX);
  costs['claim of one lane beside a backlog'] = await claimOfLanes(world, 1);
  Object.assign(costs, await measureScrape(world, ' during a backlog of lanes'));
  costs['PATCH webhook_url: null beside a backlog'] = await meter.measure(unhook);
  await hook();
  await clean(world);

  await addJobs(world, Math.round(backlog * FINISHED_SHARE), OTHER_APPS, HOUR_MS);
  await client.query('vacuum analyze jobs');
  const open = await context.store.db.startTransaction().setIsolationLevel('repeatable read').execute();
  await open.selectFrom('apps').select('id').limit(1).execute();
  const finishing = createJobWorker(
    context,
    handlersOf(async () => fill.now + 12 * HOUR_MS),
    () => undefined,
  );
  while ((await finishing.claim()) > 0) await finishing.idle();
  await addJobs(world, OTHERS_DUE, OTHER_APPS, MINUTE_MS, OTHERS_DUE + backlog);
  costs['claim of jobs beside an open snapshot'] = await claimOfJobs(world);
  await open.rollback().execute();
  await clean(world);
  return costs;
};

const ADDED = 'dom_added_';
const LARGE_APP = ({ large }: Fill) => `'${large.app_id}'`;
/** In a database of any size, due work belongs to the same number of apps, so that claims do the same amount of work. */
const OTHER_APPS = ({ apps }: Fill) => sqlId('app', `1 + n % ${Math.min(apps, DUE_APPS)}`);
const DELIVERIES = {
  limits: { inFlightMax: BUDGETS.deliveries.of, inFlightPerAccountMax: 20 },
  pollMs: 1_000,
};

/** Returns an SQL expression for due times that do not follow the order of the table's rows, as after some days of work. */
const mixed = (from: number, count: number) => `${from} + (n::bigint * 7919) % ${count}`;

/**
 * Adds due jobs. Their domains need not exist, since the handlers do nothing.
 * @param batch a number in the ids of the jobs. It must differ between calls whose jobs exist at the same time.
 */
async function addJobs(
  { client, fill }: MillionWorld,
  count: number,
  appOf: (fill: Fill) => string,
  lateMs: number,
  batch = lateMs,
): Promise<void> {
  await client.query(`
    insert into jobs (kind, subject_id, app_id, due_at, attempts)
    select 'check_dns', '${ADDED}' || ${batch} || '_' || n, ${appOf(fill)}, ${mixed(fill.now - lateMs, count)}, 0 from generate_series(1, ${count}) n`);
  await client.query('analyze jobs');
}

/** Adds due lanes, each with one pending event. */
async function addLanes(
  { client, fill }: MillionWorld,
  count: number,
  appOf: (fill: Fill) => string,
  lateMs: number,
): Promise<void> {
  const domainId = `'${ADDED}' || ${lateMs} || '_' || n`;
  await client.query(`
    insert into events (id, domain_id, app_id, mode, seq, type, hostname, status, created_at, body, delivery_status, attempts, tries, next_attempt_at)
    select 'evt_' || ${domainId}, ${domainId}, ${appOf(fill)}, 'live', 1, 'domain.active', 'careers.example.com', 'active', ${fill.now - lateMs},
      '{}', 'pending', 0, 0, ${fill.now - lateMs} from generate_series(1, ${count}) n`);
  await client.query(`
    insert into lanes (domain_id, app_id, due_at)
    select ${domainId}, ${appOf(fill)}, ${mixed(fill.now - lateMs, count)} from generate_series(1, ${count}) n`);
  await client.query('analyze lanes, events');
}

async function clean({ client }: MillionWorld): Promise<void> {
  await client.query(`delete from jobs where subject_id like '${ADDED}%'`);
  await client.query(`delete from lanes where domain_id like '${ADDED}%'`);
  await client.query(`delete from events where domain_id like '${ADDED}%'`);
  await client.query('vacuum analyze jobs, lanes, events');
}

/**
 * Measures the claims of a worker whose jobs do not end by themselves, so that accounts reach their share of concurrent jobs. Between two
 * claims, some jobs of other accounts end. Jobs of the large app do not end, as if their name servers did not respond.
 */
async function claimOfJobs({ context, meter, served }: MillionWorld): Promise<Cost> {
  const ofLarge: (() => void)[] = [];
  const ofOthers: (() => void)[] = [];
  let ended = 0;
  const run = ({ app_id }: LeasedJob) =>
    new Promise<null>((resolve) => {
      (app_id === served.app.app_id ? ofLarge : ofOthers).push(() => resolve(null));
    });
  const worker = createJobWorker(context, handlersOf(run), () => ended++);
  const end = async (jobs: (() => void)[], count: number) => {
    const until = ended + Math.min(count, jobs.length);
    for (const endJob of jobs.splice(0, count)) endJob();
    while (ended < until) await new Promise((resolve) => setImmediate(resolve));
  };
  const costs: Cost[] = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
    const cost = await meter.measure(() => worker.claim());
    if (round >= WARM_ROUNDS) costs.push(cost);
    await end(ofOthers, ENDED_AT_ONCE);
  }
  await end([...ofLarge, ...ofOthers], Number.POSITIVE_INFINITY);
  await worker.idle();
  return averageOf(costs);
}

async function claimOfLanes({ context, meter }: MillionWorld, lanesMax: number): Promise<Cost> {
  const claim = () => undone(context, (tx) => claimLanes(tx, lanesMax));
  await claim();
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await meter.measure(claim));
  return averageOf(costs);
}

async function claimLanes(context: Context, lanesMax = LANES_MAX): Promise<void> {
  const share = BUDGETS.deliveries.of / BUDGETS.deliveries.parts;
  const afterAppId = 'app_00000000000000000000000003';
  await claimDueLanes(context, {
    appsMax: lanesMax,
    lanesMax,
    afterAppId,
    fullAccounts: [],
    shareOut: () => () => share,
  });
}

function handlersOf(run: (job: LeasedJob) => Promise<number | null>): JobHandlers {
  return Object.fromEntries(
    JOB_KINDS.map((kind: JobKind) => [kind, (_: Context, job: LeasedJob) => run(job)]),
  );
}

/** Runs `work` in a transaction that is rolled back, so that the same rows can be claimed again. */
export async function undone(context: Context, work: (tx: Context) => Promise<unknown>): Promise<void> {
  const undo = new Error('undone');
  const done = inTransaction(context.store, async (store) => {
    await work({ ...context, store });
    throw undo;
  });
  await done.catch((error: unknown) => {
    if (error !== undo) throw error;
  });
}
