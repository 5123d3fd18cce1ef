import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../../shared/core/instant.ts';
import type { Cluster } from './cluster.ts';

/** Maximum number of moves of the clock. With `STEP_MS_MIN`, 24 hours of retries need fewer. */
const MOVES_MAX = 200;
/** The clock moves by at least this time, within which many steps become due. */
const STEP_MS_MIN = 15 * MINUTE_MS;
const POLL_MS = 100;
/** This number of polls takes longer than any delivery attempt. */
const POLLS_MAX = 600;
const SHOWN_MAX = 20;

/**
 * Moves the clock to the next due step of a domain or delivery until no step is left. No node is killed in this phase. The clock does not
 * move while anything is leased, so that no lease expires. An error in a node's log fails the test.
 */
export async function finishWork(cluster: Cluster): Promise<void> {
  for (const node of cluster.nodes) node.said = '';
  for (let moves = 0; moves < MOVES_MAX; moves++) {
    const dueAt = await untilNothingIsDue(cluster);
    if (dueAt === null) return;
    await cluster.moveClock(Math.max(STEP_MS_MIN, dueAt - cluster.now()));
  }
  throw await failure(cluster, `work is left after ${MOVES_MAX} moves of the clock`);
}

/** Waits until no work is due or leased. @returns the time at which the next step is due; null if none is left. */
async function untilNothingIsDue(cluster: Cluster): Promise<number | null> {
  for (let polls = 0; polls < POLLS_MAX; polls++) {
    const { due_at, leased } = await readWork(cluster);
    if (cluster.nodes.some(({ said }) => said !== '')) throw await failure(cluster, 'a node had an error');
    if (leased === 0 && (due_at === null || due_at > cluster.now())) return due_at;
    await sleep(POLL_MS);
  }
  throw await failure(cluster, `due work was not done after ${POLLS_MAX} polls`);
}

/** Reads jobs and event queues (lanes) in one query, because a transaction may replace a job by a queue with due work. */
async function readWork({ database }: Cluster): Promise<{ due_at: number | null; leased: number }> {
  const { rows } = await database.query(`select min(due_at) as due_at, count(lease_id) as leased from
    (select due_at, lease_id from lanes union all select due_at, lease_id from jobs where kind = 'advance') as work`);
  const [{ due_at, leased }] = rows;
  return { due_at: due_at === null ? null : Number(due_at), leased: Number(leased) };
}

/** Returns an error with the remaining work, in the order in which it is due, and the log of the nodes. */
async function failure(cluster: Cluster, message: string): Promise<Error> {
  const now = cluster.now();
  const { rows: lanes } = await cluster.database.query(
    `select lanes.domain_id, lanes.due_at - $1::bigint as due_in_ms, lanes.lease_id, events.id as event_id, events.seq, events.attempts,
      events.tries, events.last_status_code, events.last_error, events.next_attempt_at - $1::bigint as next_attempt_in_ms,
      (select json_agg(json_build_object('id', id, 'attempt', attempt, 'finished', finished, 'status_code', status_code) order by attempt)
        from deliveries where event_id = events.id) as deliveries
    from lanes left join events on events.domain_id = lanes.domain_id and events.delivery_status = 'pending'
    where lanes.due_at is not null order by lanes.due_at, events.seq limit ${SHOWN_MAX}`,
    [now],
  );
  const { rows: jobs } = await cluster.database.query(
    `select kind, subject_id, due_at - $1::bigint as due_in_ms, lease_id, attempts, domains.status from jobs
    left join domains on domains.id = subject_id where kind = 'advance' order by due_at limit ${SHOWN_MAX}`,
    [now],
  );
  const nodes = cluster.nodes.map(
    ({ said }, index) => `node ${index} said: ${said === '' ? 'nothing' : said}`,
  );
  const rows = [...lanes, ...jobs].map((row) => JSON.stringify(row));
  return new Error([`${message}; the first of what is left:`, ...rows, ...nodes].join('\n'));
}
