import type { AppId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { claimEpoch } from '../../store/edge/edge-values.ts';
import {
  findReconciled,
  listReconciled,
  RECONCILED,
  type ReconciledSubjects,
  saveReconciled,
} from '../../store/edge/reconciled.ts';
import { type Context, transact } from '../context.ts';
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
 * Reconciles all values from the beginning. Afterwards, all values are sealed with the current key.
 * @returns the number of values that were written.
 */
export async function reconcileAllEdgeValues(context: Context): Promise<number> {
  const { edges } = context;
  if (edges === null) return 0;
  await transact(context, (tx) => saveReconciled(tx.store, { of: RECONCILED[0], after: '' }));
  for (let written = 0; ; ) {
    const page = await reconcilePage(context, edges);
    written += page.written;
    if (page.isLast) return written;
  }
}

function reconcilePage(
  context: Context,
  edges: EdgePublishing,
): Promise<{ written: number; isLast: boolean }> {
  return transact(context, async (tx) => {
    // The position is stored with the epoch, which an installation without values does not have yet.
    await claimEpoch(tx.store, edges.installation);
    const { of, after } = await findReconciled(tx.store);
    const { names, last } = await listReconciled(tx.store, of, { after, limit: PAGE });
    const written = await publishEdgeValues(tx, edges, subjectsOf(of, names));
    const next = last === null ? RECONCILED[RECONCILED.indexOf(of) + 1] : of;
    await saveReconciled(tx.store, { of: next ?? RECONCILED[0], after: last ?? '' });
    return { written, isLast: next === undefined };
  });
}

function subjectsOf(of: ReconciledSubjects, names: readonly string[]): EdgeSubjects {
  const [isApps, isHolds] = [of === 'apps', of === 'holds' || of === 'lost_holds'];
  return {
    hostnames: new Set(isApps || isHolds ? [] : names),
    holds: new Set(isHolds ? names : []),
    apps: new Set(isApps ? (names as AppId[]) : []),
    challenges: [],
  };
}
