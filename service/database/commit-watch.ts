import { sql } from 'kysely';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import { inTransaction, type Store } from '../../shared/store/store.ts';

/** Tracks whether this node's transactions are committed. Reads can work while no write does. */
export interface CommitWatch {
  /** Takes the error of a failed query. */
  failed(error: unknown): void;
  /** Returns why nothing is committed, or null. */
  problem(): string | null;
  close(): void;
}

export interface CommitWatchOptions {
  /** A store with a connection of its own, for the transactions of the watch. */
  store: Store;
  /** A store with another connection, to ask what a transaction waits for. */
  observer: Store;
  /** A monotonic clock. */
  machine: Clock;
  log: Log;
  everyMs?: number;
  /** How long a transaction may wait, or the server may refuse new connections, before it is a problem. */
  patienceMs?: number;
}

/** SQLSTATE 53300, too_many_connections. */
const REFUSED = '53300';
const NEVER = { first: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY };

/** Commits an empty transaction every 2 seconds, unless the last one still waits. Reports a problem after 5 seconds without a commit. */
export function watchCommits(options: CommitWatchOptions): CommitWatch {
  const { store, observer, machine, log, everyMs = 2 * SECOND_MS, patienceMs = 5 * SECOND_MS } = options;
  let committedAt = machine.now();
  let refused: { first: number; last: number } | null = null;
  /** The process of the database server that runs the waiting transaction. */
  let waiting: { pid: number } | null = null;
  let cause: string | null = null;
  let busy = false;

  async function commit(): Promise<void> {
    try {
      await inTransaction(store, async ({ db }) => {
        const { rows } = await sql<{ pid: number }>`
          select pg_backend_pid() as pid, pg_logical_emit_message(true, 'nameplate', '')`.execute(db);
        waiting = { pid: rows[0]?.pid ?? 0 };
      });
      committedAt = machine.now();
      cause = null;
    } catch (error) {
      failed(error);
      cause = error instanceof Error ? error.message : String(error);
      // Without this, each attempt would leave a waiting process on the database server.
      if (waiting !== null) await sql`select pg_terminate_backend(${waiting.pid})`.execute(observer.db);
    } finally {
      waiting = null;
    }
  }

  async function look(): Promise<void> {
    if (!busy) {
      busy = true;
      commit()
        .catch(() => undefined)
        .finally(() => {
          busy = false;
        });
    }
    if (isLate() && waiting !== null) {
      const { rows } = await sql<{ waits: string | null }>`
        select wait_event as waits from pg_stat_activity where pid = ${waiting.pid}`.execute(observer.db);
      const waits = rows[0]?.waits ?? null;
      cause = waits === 'SyncRep' ? 'synchronous standby' : waits;
    }
    tell();
  }

  function failed(error: unknown): void {
    if (!(error instanceof Error && 'code' in error && error.code === REFUSED)) return;
    const now = machine.now();
    const isNew = refused === null || now - refused.last > patienceMs;
    refused = { first: isNew ? now : (refused?.first ?? now), last: now };
  }

  const isLate = () => machine.now() - committedAt > patienceMs;

  function problem(): string | null {
    const { first, last } = refused ?? NEVER;
    if (machine.now() - last <= patienceMs && last - first > patienceMs) return 'cannot commit: connections';
    return isLate() ? `cannot commit: ${cause ?? 'no response'}` : null;
  }

  let told: string | null = null;
  function tell(): void {
    const now = problem();
    if ((now === null) === (told === null)) return;
    if (now === null) log.info({}, 'the database commits again');
    else log.error({}, `the database ${now.replace('cannot commit', 'commits nothing')}`);
    told = now;
  }

  const timer = setInterval(() => void look().catch(() => tell()), everyMs).unref();
  return { failed, problem, close: () => clearInterval(timer) };
}

/** Returns what the settings of the server let a crash or a failover lose, or null. */
export async function lossWarning({ db }: Store): Promise<string | null> {
  const { rows } = await sql<{ flush: string; standbys: string }>`
    select current_setting('synchronous_commit') as flush, current_setting('synchronous_standby_names') as standbys`.execute(
    db,
  );
  if (rows[0]?.flush === 'off')
    return 'synchronous_commit is off: a crash of Postgres loses its last commits';
  return rows[0]?.standbys === ''
    ? 'Postgres has no synchronous standby: a failover can lose its last commits'
    : null;
}
