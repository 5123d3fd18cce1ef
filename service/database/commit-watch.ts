import { sql } from 'kysely';
import { SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock, Log } from '../../shared/ports/system.ts';
import { inTransaction, type Store } from '../../shared/store/store.ts';
import type { WaitingCommits } from './waiting-commits.ts';

/** Tracks whether the database commits this node's transactions. Reads can succeed while no transaction commits. */
export interface CommitWatch {
  /** Call with the error of each failed query. */
  failed(error: unknown): void;
  /** Returns the reason why the database commits nothing, or null if it commits. */
  problem(): string | null;
  /** Returns true if the database commits late or not at all. */
  isLate(): boolean;
  close(): void;
}

export interface CommitWatchOptions {
  /** A store with a reserved connection, for the watch's own transactions. */
  store: Store;
  /** A store with another connection, on which the watch asks what its transaction is waiting for. */
  observer: Store;
  /** Tracks the waiting commits of the node, including the commits of `store`. */
  commits: WaitingCommits;
  /** A monotonic clock. */
  machine: Clock;
  log: Log;
  /** URL of the guide that explains what a failover can lose. */
  docs: string;
  everyMs?: number;
  /** How long a commit may wait, or the server may refuse new connections, before the watch reports a problem. */
  patienceMs?: number;
}

/** SQLSTATE 53300, too_many_connections. */
const REFUSED = '53300';

/**
 * Commits an empty transaction every 2 seconds, unless the previous one is still waiting. Reports a problem after 5 seconds without a
 * commit.
 */
export function watchCommits(options: CommitWatchOptions): CommitWatch {
  const { store, observer, commits, machine, log, docs } = options;
  const { everyMs = 2 * SECOND_MS, patienceMs = 5 * SECOND_MS } = options;
  /** The times of the first and the last refused connection in the current series of refusals. */
  let refused = { first: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  let cause: string | null = null;
  let isCommitting = false;
  /**
   * The timeline id of the Postgres server, from the names of its WAL files. Null if unknown, because some managed servers do not permit
   * the query.
   */
  let timeline: string | null = null;
  let readsTimeline = sql`substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`;

  /** Id of the Postgres process that runs the watch's transaction; null while there is no transaction. */
  let pid: number | null = null;

  async function commit(): Promise<void> {
    try {
      // Write a logical message to the WAL: it must be committed, but needs no table.
      const now = await inTransaction(store, async ({ db }) => {
        const { rows } = await sql<{ pid: number; timeline: string | null }>`
          select pg_backend_pid() as pid, pg_logical_emit_message(true, 'nameplate', ''), ${readsTimeline} as timeline`.execute(
          db,
        );
        pid = rows[0]?.pid ?? null;
        return { timeline: rows[0]?.timeline ?? null };
      });
      commits.confirm();
      if (timeline !== null && now.timeline !== timeline)
        log.warn(
          { docs, timeline: now.timeline, before: timeline },
          'Postgres has a new timeline: a standby was promoted, or a backup restored; check whether changes were lost',
        );
      timeline = now.timeline;
    } catch (error) {
      // The server does not support or permit the timeline query, so leave it out from now on.
      if (error instanceof Error && 'code' in error && /^(?:0A|42)/.test(String(error.code)))
        readsTimeline = sql`null`;
      failed(error);
      if (pid === null) cause = error instanceof Error ? error.message : String(error);
      // End the Postgres process of the watch's commit, because otherwise each commit would leave a waiting process. The transaction is
      // empty, so ending it makes no change visible too early.
      else await endCommit(pid);
    } finally {
      pid = null;
    }
  }

  let lookedAt = machine.now();
  async function look(): Promise<void> {
    const now = machine.now();
    // If this process was paused, measure the time without a commit from now on.
    if (now - lookedAt > patienceMs) commits.committedAt = now;
    lookedAt = now;
    lateAt();
    if (!isCommitting) {
      isCommitting = true;
      void commit().finally(() => {
        isCommitting = false;
      });
    }
    if (pid !== null && commits.areLate) {
      const { rows } = await sql<{ waits: string | null }>`
        select wait_event as waits from pg_stat_activity where pid = ${pid}`.execute(observer.db);
      const waits = rows[0]?.waits ?? null;
      cause = waits === 'SyncRep' ? 'synchronous standby' : waits;
    }
    tell();
  }

  function failed(error: unknown): void {
    if (!(error instanceof Error && 'code' in error && error.code === REFUSED)) return;
    const now = machine.now();
    refused = { first: now - refused.last > patienceMs ? now : refused.first, last: now };
  }

  function problem(): string | null {
    const now = machine.now();
    if (now - refused.last <= patienceMs && refused.last - refused.first > patienceMs)
      return 'cannot commit: connections';
    const isDown = commits.areStuck || now - commits.committedAt > patienceMs;
    return isDown ? `cannot commit: ${cause ?? 'no response'}` : null;
  }

  let told: string | null = null;
  function tell(): void {
    const now = problem();
    if (now === null && !commits.areLate) cause = null;
    if ((now === null) === (told === null)) return;
    if (now === null) log.info({}, 'the database commits again');
    else log.error({}, `the database ${now.replace('cannot commit', 'commits nothing')}`);
    told = now;
  }

  async function endCommit(process: number): Promise<void> {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where pid = ${process} and state = 'active' and query = 'commit'`
      .execute(observer.db)
      .catch(() => undefined);
  }

  commits.onGivenUp = tell;

  let wasLateAt = Number.NEGATIVE_INFINITY;
  /**
   * Returns the last time at which commits were late. A request gives up after 5 seconds without a database connection, so `isLate` must
   * become true earlier. After commits succeed again, `isLate` stays true for a while.
   */
  function lateAt(): number {
    const now = machine.now();
    if (commits.areLate || now - commits.committedAt > patienceMs - everyMs) wasLateAt = now;
    return wasLateAt;
  }
  const timer = setInterval(() => void look().catch(() => tell()), everyMs).unref();
  return {
    failed,
    problem,
    isLate: () => machine.now() - lateAt() <= patienceMs,
    close: () => clearInterval(timer),
  };
}

/** Returns a warning if a crash or a failover can lose commits with the server's settings. Otherwise returns null. */
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
