import { expect, test } from 'vitest';
import {
  CLASS_OF,
  JOB_CLASSES,
  JOB_KINDS,
  type JobClassName,
  type JobKind,
} from '../../shared/core/domains/job.ts';
import type { AccountId, AppId } from '../../shared/core/ids.ts';
import { MINUTE_MS } from '../../shared/core/instant.ts';
import type { JobHandlers } from '../../shared/jobs/handlers.ts';
import { createJobWorker } from '../../shared/jobs/job-worker.ts';
import { insertApp } from '../../shared/store/accounts/apps.ts';
import { scheduleJob, selectJobs } from '../../shared/store/jobs/jobs.ts';
import { inTransaction, type Store } from '../../shared/store/store.ts';
import { anApp } from '../store/rows.ts';
import { type JobWorld, jobWorld } from './job-world.ts';

interface Started {
  kind: JobKind;
  app_id: AppId | null;
  end: () => void;
}

/** Creates a worker whose jobs wait until the test ends them. */
async function hangingWorker() {
  const world = await jobWorld();
  const started: Started[] = [];
  const handler =
    (kind: JobKind) =>
    (_: unknown, { app_id }: { app_id: AppId | null }) =>
      new Promise<null>((resolve) => started.push({ kind, app_id, end: () => resolve(null) }));
  const handlers: JobHandlers = Object.fromEntries(JOB_KINDS.map((kind) => [kind, handler(kind)]));
  const worker = createJobWorker(world.context, handlers, () => undefined);
  return {
    world,
    started,
    /** Claims jobs until a claim returns none. */
    async fill() {
      while ((await worker.claim()) > 0);
    },
    async endAll() {
      while (started.length > 0) {
        for (const { end } of started.splice(0)) end();
        await worker.idle();
        await this.fill();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const { end } of started) end();
      await worker.idle();
      await world[Symbol.asyncDispose]();
    },
  };
}

const hasApp = async (store: Store, id: AppId) =>
  (await store.db.selectFrom('apps').select('id').where('id', '=', id).execute()).length > 0;

/** Adds jobs of an app, due one after the other, and after the jobs of all earlier calls. */
async function add(
  { context, clock }: JobWorld,
  kind: JobKind,
  app: string | null,
  count = 1,
  account = app,
): Promise<void> {
  const appId = app === null ? null : (`app_${app}` as AppId);
  await inTransaction(context.store, async (store) => {
    if (appId !== null && !(await hasApp(store, appId))) {
      await insertApp(store, anApp({ id: appId, account_id: `acc_${account ?? app}` as AccountId }));
    }
    for (let n = 0; n < count; n++) {
      clock.move(1);
      await scheduleJob(store, { kind, subject_id: `${app}_${n}`, app_id: appId, due_at: clock.now() });
    }
  });
}

test('DNS checks of silent zones delay no other kind of job', async () => {
  await using under = await hangingWorker();
  const { world, started } = under;
  for (let app = 0; app < 400; app++) await add(world, 'check_dns', `slow${app}`, 2);
  await under.fill();
  expect(started).toHaveLength(JOB_CLASSES.dns.inFlightMax);
  const others = JOB_KINDS.filter((kind) => CLASS_OF[kind] !== 'dns');
  // Each job belongs to a different app, because all jobs of an app share the app's slots.
  for (const kind of others) await add(world, kind, `quick_${kind}`);
  await under.fill();
  const begun = started.filter(({ app_id }) => app_id?.startsWith('app_quick')).map(({ kind }) => kind);
  expect(begun.sort()).toEqual(others.toSorted());
});

test.each(Object.keys(JOB_CLASSES) as JobClassName[])(
  "an app's thousand slow jobs of the class %s leave capacity for another app's jobs",
  async (name) => {
    await using under = await hangingWorker();
    const { world, started } = under;
    const [kind] = JOB_KINDS.filter((each) => CLASS_OF[each] === name);
    if (kind === undefined) throw new Error(`no kind is of the class ${name}`);
    await add(world, kind, 'slow', 1000);
    await add(world, kind, 'quick');
    await under.fill();
    const { inFlightMax, inFlightPerAccountMax } = JOB_CLASSES[name];
    expect(inFlightPerAccountMax).toBeLessThan(inFlightMax);
    expect(started.filter(({ app_id }) => app_id === 'app_slow')).toHaveLength(inFlightPerAccountMax);
    expect(started.filter(({ app_id }) => app_id === 'app_quick')).toHaveLength(1);
  },
);

test.each(['ours', 'dns', 'origins', 'certificates', 'mail'] as const)(
  'forty apps of one account have the same share as one app in the job class %s',
  async (name) => {
    await using under = await hangingWorker();
    const { world, started } = under;
    const [kind] = JOB_KINDS.filter((each) => CLASS_OF[each] === name);
    if (kind === undefined) throw new Error(`no kind is of the class ${name}`);
    for (let app = 0; app < 40; app++) await add(world, kind, `free${app}`, 10, 'free');
    await add(world, kind, 'quick');
    await under.fill();
    const { inFlightPerAccountMax } = JOB_CLASSES[name];
    expect(started.filter(({ app_id }) => app_id !== 'app_quick')).toHaveLength(inFlightPerAccountMax);
    expect(started.filter(({ app_id }) => app_id === 'app_quick')).toHaveLength(1);
  },
);

test("jobs beyond an app's share run when capacity becomes free, and all of them run in the end", async () => {
  await using under = await hangingWorker();
  await add(under.world, 'check_dns', 'slow', 90);
  await add(under.world, 'check_dns', 'slower', 90);
  await under.fill();
  await under.endAll();
  expect(await selectJobs(under.world.context.store, { limit: 9 })).toEqual([]);
});

test('jobs that belong to no app may use any free capacity', async () => {
  await using under = await hangingWorker();
  await add(under.world, 'apply_hold', null, 50);
  await under.fill();
  expect(under.started).toHaveLength(JOB_CLASSES.ours.inFlightMax);
});

test.each([
  ['send_mail', [1, 2, 4, 8, 16, 32, 64, 128, 240, 240]],
  ['check_dns', [1, 1, 1, 1]],
] as const)('%s is tried again after %j minutes if it keeps failing', async (kind, minutes) => {
  await using world = await jobWorld();
  const worker = createJobWorker(
    world.context,
    { [kind]: () => Promise.reject(new Error('away')) },
    () => undefined,
  );
  await add(world, kind, 'acme');
  const waited: number[] = [];
  for (let n = 0; n < minutes.length; n++) {
    await worker.claim();
    await worker.idle();
    const [job] = await selectJobs(world.context.store, { limit: 1 });
    const waitMs = (job?.due_at ?? 0) - world.clock.now();
    waited.push(waitMs / MINUTE_MS);
    world.clock.move(waitMs);
  }
  expect(waited).toEqual(minutes);
});
