import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Instant } from '../../shared/core/instant.ts';
import type { Context } from '../../shared/operations/context.ts';
import { soonestEnd } from '../../shared/store/certificates/certificates.ts';
import { type Backlog, readBacklog } from '../../shared/store/events/backlog.ts';
import { NewerDatabaseError, pendingMigrations } from '../../shared/store/migrations/migrate.ts';
import type { Store } from '../../shared/store/store.ts';
import type { EdgeEngineState } from '../edge/engine.ts';
import type { AgreedSettings } from '../settings/agreed-settings.ts';
import type { ConfigurationWarning } from '../settings/configuration-warnings.ts';
import type { RoutesKnown } from './metrics.ts';
import type { CheckStates } from './node-checks.ts';

/** Whether a node can do its work now, and the problems that prevent it. */
export interface Readiness {
  ready: boolean;
  draining: boolean;
  /** `ok`, or the problem with the database. */
  database: string;
  /** `ok`, the pending migrations, or `newer` if the database is newer than this program. */
  migrations: string;
  backlog: Backlog | null;
  /** Seconds until the first certificate in use expires; null if there is no certificate. */
  certificate_left_s: number | null;
}

/** The state of a part that the node does not have. For example, a node with only the role `dns` opens no database. */
export const NOT_USED = 'not used';

/** The state of a node, as `/readyz` reports it. */
export interface NodeState extends Readiness {
  /** Whether any DNS resolver answers, as far as this node knows. */
  resolvers: 'ok' | 'none answers' | typeof NOT_USED;
  /** Results of the node's checks, each `ok` or the problem. Empty without a database. */
  checks: Partial<CheckStates>;
  /** Work that this node cannot do with its settings. */
  configuration_warnings: readonly ConfigurationWarning[];
  settings: AgreedSettings;
  /** The engine of the node's edge; null without the edge role. */
  edge_engine: EdgeEngineState | null;
  /** The replica of the node's edge; null without the edge role. */
  replica: ReplicaState | null;
  /** URL at which this machine reaches the node's edge over plain HTTP; null without the edge role. */
  edge_http_url: string | null;
  /** Why a node without a database of its own is not ready. */
  problems?: readonly string[];
}

/** The state of a replica, as `/readyz` reports it. */
export interface ReplicaState {
  hostnames: number;
  /** Values that cannot be opened. */
  unreadable: number;
  bytes: number;
  /** Seconds since the edge was last up to date. */
  age_s: number;
}

/** Returns the state of the replica of an edge. */
export function replicaState({ hostnames, unreadable, bytes, ageMs }: RoutesKnown): ReplicaState {
  return { hostnames, unreadable, bytes, age_s: Math.round(ageMs / 1000) };
}

/** Time limit for the queries. If a query takes longer, the database is reported as unavailable. */
const DEADLINE_MS = 3000;

/** Reads the state of the database. A draining node is not ready, so that load balancers stop sending it requests. Never throws. */
export async function readReadiness(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  draining: boolean,
): Promise<Readiness> {
  const answered = new AbortController();
  try {
    const { migrations, ...read } = await Promise.race([
      readState(store, clock.now()),
      delay(DEADLINE_MS, undefined, { signal: answered.signal }).then(() => {
        throw new Error(`no response within ${DEADLINE_MS} ms`);
      }),
    ]);
    const ready = !draining && !isPending(migrations);
    return { ready, draining, database: 'ok', migrations, ...read };
  } catch (error) {
    const database = error instanceof Error && error.message !== '' ? error.message : String(error);
    return { ready: false, draining, database, migrations: 'unknown', ...NOTHING_READ };
  } finally {
    answered.abort();
  }
}

const NOTHING_READ = { backlog: null, certificate_left_s: null };

/** Reads the migrations and the backlog. Does not read the backlog while migrations are pending, because its tables may be missing. */
async function readState(
  store: Store,
  now: Instant,
): Promise<Pick<Readiness, 'migrations' | 'backlog' | 'certificate_left_s'>> {
  const migrations = await readMigrations(store);
  // A primary that was demoted to a standby still answers queries, but refuses writes.
  const { rows } = await sql<{
    mode: string;
  }>`select current_setting('transaction_read_only') as mode`.execute(store.db);
  if (rows[0]?.mode === 'on') throw new Error('the database is read only');
  if (isPending(migrations)) return { migrations, ...NOTHING_READ };
  const endsAt = await soonestEnd(store);
  const certificateLeftS = endsAt === null ? null : Math.floor((endsAt - now) / 1000);
  return {
    migrations,
    backlog: await readBacklog(store, now),
    certificate_left_s: certificateLeftS,
  };
}

function isPending(migrations: string): boolean {
  return migrations.startsWith('pending');
}

/**
 * Returns the state of the migrations. With a newer database the node stays ready, because migrations never break the previous version of
 * the program.
 */
async function readMigrations(store: Store): Promise<string> {
  try {
    const pending = await pendingMigrations(store);
    return pending.length === 0 ? 'ok' : `pending: ${pending.join(', ')}`;
  } catch (error) {
    if (error instanceof NewerDatabaseError) return 'newer';
    throw error;
  }
}
