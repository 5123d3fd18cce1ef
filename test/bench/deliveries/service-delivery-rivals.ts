import { Logger, type Runner, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { bodyOf } from './service-deliverer.ts';
import type { Backlog, Deliverer, Post } from './service-delivering.ts';

type Rival = (backlog: Backlog, post: Post) => Promise<Deliverer>;

/**
 * Well-known Postgres queues that do the same ordered work, each in two variants. The first claims and ends one job at a time, as our
 * deliveries do. The second uses the batch size that was fastest in trials. A batch of pg-boss ends only when its slowest endpoint has
 * responded.
 */
export const RIVALS = {
  'graphile-worker': graphileWorker({}),
  'graphile-worker in batches': graphileWorker({ localQueue: { size: 100 }, completeJobBatchDelay: 0 }),
  'pg-boss': pgBoss({ loops: 20, batchSize: 1 }),
  'pg-boss in batches': pgBoss({ loops: 1, batchSize: 200 }),
} satisfies Record<string, Rival>;

/** Uses a named queue for each domain. Such a queue runs its jobs one after the other. */
function graphileWorker(batching: { localQueue?: { size: number }; completeJobBatchDelay?: number }): Rival {
  return async (backlog, post) => {
    const connectionString = backlog.databaseUrl;
    await runMigrations({ connectionString });
    const client = new pg.Client({ connectionString });
    await client.connect();
    for (const jobs of jobsInOrder(backlog)) {
      await client.query(
        `select count(*) from graphile_worker.add_jobs(array(
           select row('deliver', job.body, job.queue, null, 1, null, 0, null)::graphile_worker.job_spec
           from json_to_recordset($1::json) as job(queue text, body json)))`,
        [JSON.stringify(jobs)],
      );
    }
    await client.end();
    let runner: Runner | undefined;
    return {
      async start() {
        runner = await run({
          connectionString,
          noHandleSignals: true,
          logger: new Logger(() => () => undefined),
          taskList: {
            deliver: async (body) => {
              await post(JSON.stringify(body));
            },
          },
          preset: { worker: { concurrentJobs: 50, maxPoolSize: 10, ...batching } },
        });
      },
      async finish() {
        await runner?.stop();
      },
    };
  };
}

/**
 * Uses a singleton key for each domain, first in, first out. Fetches jobs without the pause of half a second that pg-boss's own workers
 * make.
 */
function pgBoss({ loops, batchSize }: { loops: number; batchSize: number }): Rival {
  return async (backlog, post) => {
    const boss = new PgBoss({
      connectionString: backlog.databaseUrl,
      max: 10,
      supervise: false,
      schedule: false,
    });
    boss.on('error', console.error);
    await boss.start();
    await boss.createQueue('deliver', { policy: 'key_strict_fifo' });
    for (const jobs of jobsInOrder(backlog)) {
      await boss.insert(
        'deliver',
        jobs.map(({ queue, body }) => ({ singletonKey: queue, data: body })),
      );
    }
    let finished = false;
    let running: Promise<unknown> = Promise.resolve();
    const loop = async () => {
      while (!finished) {
        const jobs = await boss.fetch<object>('deliver', { batchSize });
        if (jobs.length === 0) continue;
        await Promise.all(jobs.map(({ data }) => post(JSON.stringify(data))));
        await boss.complete(
          'deliver',
          jobs.map(({ id }) => id),
        );
      }
    };
    return {
      async start() {
        running = Promise.all(Array.from({ length: loops }, loop));
      },
      async finish() {
        finished = true;
        await running;
        await boss.stop({ graceful: false });
      },
    };
  };
}

/**
 * Yields the first event of every domain, then the second, and so on. Both queues order the jobs of a key by the time of the transaction
 * that added them.
 */
function* jobsInOrder({ domains, events_per_domain }: Backlog) {
  for (let n = 1; n <= events_per_domain; n++) {
    yield Array.from({ length: domains }, (_, d) => {
      const queue = `domain ${d}`;
      return { queue, body: JSON.parse(bodyOf(queue, n)) as object };
    });
  }
}
