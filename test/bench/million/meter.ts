import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** The average cost of a unit of work. */
export interface Cost {
  /** Number of statements, not counting BEGIN, COMMIT and the like. */
  statements: number;
  /** Number of blocks of tables and indexes that were read, in shared buffers or elsewhere. Blocks that planning reads are not counted. */
  blocks: number;
  /** The number of the `blocks` that were not in shared buffers. */
  blocksRead: number;
  /** CPU time of all backends of Postgres; NaN if `/proc` is missing. */
  postgresMs: number;
  /** CPU time of this process. */
  nodeMs: number;
  walBytes: number;
  wallMs: number;
}

/** The name and unit with which each cost is printed. */
export const UNITS_OF_COST: Readonly<Record<keyof Cost, { name: string; unit: string }>> = {
  statements: { name: 'statements', unit: '' },
  blocks: { name: 'blocks', unit: '' },
  blocksRead: { name: 'blocks read', unit: '' },
  postgresMs: { name: 'Postgres CPU', unit: 'ms' },
  nodeMs: { name: 'Node CPU', unit: 'ms' },
  walBytes: { name: 'WAL', unit: 'bytes' },
  wallMs: { name: 'time', unit: 'ms' },
};
const NAMES = Object.keys(UNITS_OF_COST) as (keyof Cost)[];

/** Measures work with the counters of the Postgres server, of its processes and of this process. Only one measurement can run at a time. */
export interface Meter {
  /** Runs `work`, and returns its cost per unit. @param work may return the number of units, if the caller does not know it. */
  measure(work: () => Promise<unknown>, units?: number): Promise<Cost>;
}

/** If set, the number of statements to print for each measurement, the most expensive first. */
const SHOWN = Number(process.env['MILLION_STATEMENTS'] ?? 0);

/**
 * Matches statements that do not belong to the measured work. They begin and end transactions, set up sessions, check commits and the
 * clock, or read the counters.
 */
const NOT_COUNTED =
  '^\\s*(begin|start|commit|rollback|set|listen|deallocate|close)|pg_logical_emit_message|clock_timestamp|pg_stat_';

interface Counters {
  statements: number;
  blocks_hit: number;
  blocks_read: number;
}

/**
 * @param client a connection that only the meter uses. The server must have loaded `pg_stat_statements`, and the database must have the
 * extension.
 */
export async function createMeter(client: pg.Client): Promise<Meter> {
  await client.query('create extension if not exists pg_stat_statements');

  async function cpuMs(): Promise<Map<number, number>> {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    return new Map(rows.map(({ pid }) => [pid, cpuMsOf(pid)]));
  }

  return {
    async measure(work, units = 1) {
      const cpuBefore = await cpuMs();
      const { rows: first } = await client.query(
        'select pg_stat_statements_reset(), pg_current_wal_insert_lsn() as lsn',
      );
      const nodeBefore = process.cpuUsage();
      const startedAt = performance.now();
      await work();
      const wallMs = performance.now() - startedAt;
      const node = process.cpuUsage(nodeBefore);
      const cpuAfter = await cpuMs();
      const { rows: wal } = await client.query(
        'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float8 as bytes from pg_stat_wal',
        [first[0].lsn],
      );
      const { rows: counted } = await client.query<Counters>(
        `select coalesce(sum(calls), 0)::float8 as statements, coalesce(sum(shared_blks_hit), 0)::float8 as blocks_hit,
           coalesce(sum(shared_blks_read), 0)::float8 as blocks_read
         from pg_stat_statements where query !~* $1`,
        [NOT_COUNTED],
      );
      if (SHOWN > 0) await show(client, units);
      const { statements = 0, blocks_hit = 0, blocks_read = 0 } = counted[0] ?? {};
      let postgresMs = 0;
      for (const [pid, ms] of cpuAfter) postgresMs += ms - (cpuBefore.get(pid) ?? 0);
      return {
        statements: statements / units,
        blocks: (blocks_hit + blocks_read) / units,
        blocksRead: blocks_read / units,
        postgresMs: postgresMs / units,
        nodeMs: (node.user + node.system) / 1000 / units,
        walBytes: Number(wal[0].bytes) / units,
        wallMs: wallMs / units,
      };
    },
  };
}

/** Returns the CPU time that a process has used, from the scheduler's counter in nanoseconds. */
function cpuMsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
}

async function show(client: pg.Client, units: number): Promise<void> {
  const { rows } = await client.query(
    `select calls, shared_blks_hit + shared_blks_read as blocks, total_exec_time as ms, regexp_replace(query, '\\s+', ' ', 'g') as query
     from pg_stat_statements where query !~* $1 order by total_exec_time desc limit $2`,
    [NOT_COUNTED, SHOWN],
  );
  for (const { calls, blocks, ms, query } of rows) {
    const each = [calls, blocks, ms].map((sum) => (Number(sum) / units).toFixed(2).padStart(10));
    console.error(`${each.join('')}  ${query.slice(0, 200)}`);
  }
}

const CHECKPOINTS_MAX = 100;

/**
 * Turns full-page writes on or off, and begins a checkpoint. @param isOn true to log each page in full at its first change. If off, the log
 * of a unit does not depend on other units that changed the same pages.
 */
export async function setFullPageWrites(client: pg.Client, isOn: boolean): Promise<void> {
  await client.query(`alter system set full_page_writes = ${isOn ? 'on' : 'off'}`);
  await client.query('select pg_reload_conf()');
  // Repeats the checkpoint, because the server reads its configuration only some time after the reload.
  for (let checkpoints = 0; checkpoints < CHECKPOINTS_MAX; checkpoints++) {
    await client.query('checkpoint');
    const { rows } = await client.query('select full_page_writes as is_on from pg_control_checkpoint()');
    if (rows[0].is_on === isOn) return;
  }
  throw new Error(`full_page_writes could not be set to ${isOn}`);
}

/** A meter that runs the work without measuring its cost. */
export const NO_METER: Meter = {
  async measure(work) {
    await work();
    return sumOf([]);
  },
};

/** Returns the sum of the costs of a unit's parts. */
export function sumOf(costs: readonly Cost[]): Cost {
  const sum = { statements: 0, blocks: 0, blocksRead: 0, postgresMs: 0, nodeMs: 0, walBytes: 0, wallMs: 0 };
  for (const cost of costs) for (const name of NAMES) sum[name] += cost[name];
  return sum;
}

export function averageOf(costs: readonly Cost[]): Cost {
  const sum = sumOf(costs);
  for (const name of NAMES) sum[name] /= costs.length;
  return sum;
}
