import type { Context } from '../../shared/operations/context.ts';
import type { Database } from '../database/database.ts';
import type { DatabaseClock } from '../database/database-clock.ts';
import { findKeyRingProblem } from '../settings/check-keys.ts';

/** Results of a node's checks by name: `ok`, or the problem. */
export type CheckStates = Readonly<Record<CheckName, string>>;

/** The names of the checks, which are also label values of the metric `nameplate_check_ok`. */
export type CheckName = 'clock' | 'commits' | 'keys' | 'writes';

/** Checks whose failure makes the node unready. A failed clock check leaves the node ready, because the node then uses its own time. */
const BLOCKING: readonly CheckName[] = ['commits', 'keys', 'writes'];

export interface NodeChecks {
  states(): CheckStates;
  /** Returns true if all checks in `BLOCKING` have passed, so that the node can do its work. */
  ready(): boolean;
  close(): void;
}

export interface WatchedNode {
  context: Pick<Context, 'store' | 'secrets' | 'log'>;
  database: Pick<Database, 'commits' | 'keys' | 'writes'>;
  databaseClock: Pick<DatabaseClock, 'problem'> | null;
  /** Interval of the key check, 30 s by default. The check is repeated, because another node may encrypt secrets with a new key. */
  keysEveryMs?: number;
}

/** Runs the checks of a node in the background, so that health requests need no query. */
export function watchNode(watched: WatchedNode): NodeChecks {
  const { context, database, databaseClock, keysEveryMs = 30_000 } = watched;
  const { store, secrets, log } = context;
  let keys: string | null = null;

  async function inspectKeys(): Promise<void> {
    const found = await findKeyRingProblem(store, database.keys, secrets);
    const problem = found === null ? null : `${found.message} ${found.fix}`;
    if (problem !== null && keys === null) log.error({}, problem);
    keys = problem;
  }

  const timer = setInterval(() => {
    // If the database is unavailable, the last result of the key check remains.
    inspectKeys().catch((error: unknown) =>
      log.warn({ error }, 'could not check the encryption keys in use'),
    );
  }, keysEveryMs).unref();

  const states = (): CheckStates => ({
    clock: databaseClock?.problem() ?? 'ok',
    commits: database.commits.problem() ?? 'ok',
    keys: keys ?? 'ok',
    writes: database.writes.problem() ?? 'ok',
  });
  return {
    states,
    ready() {
      const now = states();
      return BLOCKING.every((name) => now[name] === 'ok');
    },
    close: () => clearInterval(timer),
  };
}
