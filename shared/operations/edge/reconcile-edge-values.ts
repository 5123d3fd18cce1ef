import type { AppId, DomainId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { claimEpoch } from '../../store/edge/edge-values.ts';
import {
  findReconciled,
  listReconciled,
  RECONCILED,
  type Reconciled,
  type ReconciledSubjects,
  saveReconciled,
} from '../../store/edge/reconciled.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import { type EdgePublishing, type EdgeSubjects, publishEdgeValues } from './publish-edge-values.ts';

/** Subjects in one transaction, which locks their keys. */
const PAGE = 200;
/** Transactions in one run of the job. The job is then due again at once, so that it never outlives its lease. */
const PAGES = 50;
const EVERY_MS = DAY_MS;

/**
 * Derives the values of all edges from the tables again, and writes those that differ (`decisions/0101`). They differ after a change of the
 * plans or of the edge keys, or if a transaction did not publish a change. Continues where the last run stopped.
 * @returns when to run again: at once if subjects remain.
 */
export async function reconcileEdgeValues(context: Context): Promise<Instant | null> {
  const { edges, clock, log } = context;
  if (edges === null) return null;
  let differences = 0;
  let isLast = false;
  for (let pages = 0; pages < PAGES && !isLast; pages++) {
    const page = await reconcilePage(context, edges);
    differences += page.written;
    isLast = page.isLast;
  }
  if (differences > 0)
    log.warn({ differences }, 'values of edges differed from the tables, and were written again');
  return clock.now() + (isLast ? EVERY_MS : 0);
}

/**
 * Reconciles all values from the beginning, apart from the job. Afterwards, all values are sealed with the current key.
 * @returns the number of values that were written.
 */
export async function reconcileAllEdgeValues(context: Context): Promise<number> {
  const { edges } = context;
  if (edges === null) return 0;
  let written = 0;
  for (let at: Reconciled | null = START; at !== null; ) {
    const from: Reconciled = at;
    const page = await transact(context, (tx) => reconcileAt(tx, edges, from));
    written += page.written;
    at = page.next;
  }
  return written;
}

const START: Reconciled = { of: RECONCILED[0], after: '' };

function reconcilePage(
  context: Context,
  edges: EdgePublishing,
): Promise<{ written: number; isLast: boolean }> {
  return transact(context, async (tx) => {
    const { written, next } = await reconcileAt(tx, edges, await findReconciled(tx.store));
    // The position is stored with the epoch, which an installation without values does not have yet. All transactions lock keys first.
    await claimEpoch(tx.store, edges.installation);
    await saveReconciled(tx.store, next ?? START);
    return { written, isLast: next === null };
  });
}

/** Reconciles a page. @returns where the next page begins; null after the last page. */
async function reconcileAt(
  tx: TxContext,
  edges: EdgePublishing,
  { of, after }: Reconciled,
): Promise<{ written: number; next: Reconciled | null }> {
  const { names, last } = await listReconciled(tx.store, of, { after, limit: PAGE });
  const written = await publishEdgeValues(tx, edges, subjectsOf(of, names));
  if (last !== null) return { written, next: { of, after: last } };
  const following = RECONCILED[RECONCILED.indexOf(of) + 1];
  return { written, next: following === undefined ? null : { of: following, after: '' } };
}

function subjectsOf(of: ReconciledSubjects, names: readonly string[]): EdgeSubjects {
  const ifOf = <T extends string>(...kinds: ReconciledSubjects[]) =>
    new Set(kinds.includes(of) ? (names as T[]) : []);
  return {
    hostnames: ifOf('routes', 'challenges', 'lost_hosts'),
    holds: ifOf('holds', 'lost_holds'),
    apps: ifOf<AppId>('apps'),
    challenges: [],
    delegations: ifOf<DomainId>('delegations'),
  };
}
