import { run } from 'graphile-worker';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { bodyOf } from './service-deliverer.ts';
import type { Backlog, Deliverer, Post } from './service-delivering.ts';

/** Well-known queues on Postgres at the same ordered work, in the fastest of the ways that were tried. */
export const CONTENDERS = { 'graphile-worker': graphileWorker, 'pg-boss': pgBoss };

const CONCURRENCY = Number(process.env['C'] ?? 50);

/** A named queue per domain runs its jobs one after the other. */
async function graphileWorker({ database_url, ...backlog }: Backlog, post: Post): Promise<Deliverer> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString: database_url });
  const pool = new pg.Pool({ connectionString: database_url, max: 1 });
  for (const rows of jobsByDomain(backlog)) {
    await pool.query(
      `select count(*) from graphile_worker.add_jobs(array(
         select row('deliver', x.body, x.queue, null, 1, null, 0, null)::graphile_worker.job_spec
         from jsonb_to_recordset($1::jsonb) as x(queue text, body json)))`,
      [JSON.stringify(rows.map(({ queue, body }) => ({ queue, body: JSON.parse(body) })))],
    );
  }
  await pool.query('vacuum analyze');
  await pool.end();
  let runner: Awaited<ReturnType<typeof run>> | undefined;
  return {
    async start() {
      runner = await run({
        connectionString: database_url,
        concurrency: CONCURRENCY,
        noHandleSignals: true,
        preset: {
          worker: {
            maxPoolSize: Number(process.env['P'] ?? 10),
            ...(process.env['L']
              ? { localQueue: { size: Number(process.env['L']) }, completeJobBatchDelay: 0 }
              : {}),
          },
        },
        taskList: {
          deliver: async (payload) => {
            await post(JSON.stringify(payload));
          },
        },
      });
    },
    async finish() {
      await runner?.stop();
    },
  };
}

/** A singleton key per domain, strictly first in, first out. */
async function pgBoss({ database_url, ...backlog }: Backlog, post: Post): Promise<Deliverer> {
  const boss = new PgBoss({ connectionString: database_url, max: 10, supervise: false, schedule: false });
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue('deliver', { policy: 'key_strict_fifo' });
  for (const rows of jobsByDomain(backlog)) {
    await boss.insert(
      'deliver',
      rows.map(({ queue, body }) => ({ singletonKey: queue, data: JSON.parse(body) })),
    );
  }
  let done = false;
  let loops: Promise<unknown> = Promise.resolve();
  const loop = async () => {
    while (!done) {
      const jobs = await boss.fetch<object>('deliver', { batchSize: CONCURRENCY });
      await Promise.all(jobs.map(({ data }) => post(JSON.stringify(data))));
      if (jobs.length > 0)
        await boss.complete(
          'deliver',
          jobs.map(({ id }) => id),
        );
    }
  };
  return {
    async start() {
      loops = Promise.all(Array.from({ length: Number(process.env['N'] ?? 1) }, loop));
    },
    async finish() {
      done = true;
      await loops;
      await boss.stop({ graceful: false });
    },
  };
}

/** The same backlog for each, a domain's jobs one after the other. */
function* jobsByDomain({ domains, events_per_domain }: Omit<Backlog, 'database_url'>) {
  for (let d = 0; d < domains; d++) {
    const queue = `domain ${d}`;
    yield Array.from({ length: events_per_domain }, (_, i) => ({ queue, body: bodyOf(queue, i + 1) }));
  }
}
