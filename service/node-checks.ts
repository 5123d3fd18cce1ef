import type { Context } from '../shared/operations/context.ts';
import { findKeyRingProblem } from './check-keys.ts';
import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** What a node watches of itself, by name: `ok`, or what is wrong. */
export type CheckStates = Readonly<Record<CheckName, string>>;

/** The keys are those of the metric `nameplate_check_ok`. */
export type CheckName = 'clock' | 'keys' | 'writes';

/** A node with one of these problems sends its requests elsewhere. With a doubtful clock it works on, by its own time. */
const BLOCKING: readonly CheckName[] = ['keys', 'writes'];

export interface NodeChecks {
  states(): CheckStates;
  /** Whether the node can do its work, as far as these say. */
  ready(): boolean;
  close(): void;
}

export interface WatchedNode {
  context: Pick<Context, 'store' | 'secrets' | 'log'>;
  database: Pick<Database, 'keys' | 'writes'>;
  database_clock: Pick<DatabaseClock, 'problem'> | null;
  /** How often the ids of the keys that are in use are looked at: another node may have a newer ring. */
  keys_every_ms?: number;
}

/** Watches a node beside its work, so that however often its health is asked for, it costs nothing. */
export function watchNode(watched: WatchedNode): NodeChecks {
  const { context, database, database_clock, keys_every_ms = 30_000 } = watched;
  const { store, secrets, log } = context;
  let keys: string | null = null;

  async function lookAtKeys(): Promise<void> {
    const found = await findKeyRingProblem(store, database.keys, secrets);
    const problem = found === null ? null : `${found.message} ${found.fix}`;
    if (problem !== null && keys === null) log.error({}, problem);
    keys = problem;
  }

  const timer = setInterval(() => {
    // A database that is away says nothing of keys.
    lookAtKeys().catch((error: unknown) => log.warn({ error }, 'the keys in use could not be looked at'));
  }, keys_every_ms).unref();

  const states = (): CheckStates => ({
    clock: database_clock?.problem() ?? 'ok',
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
