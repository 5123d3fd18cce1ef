import { type EdgeKind, edgeKey, type SealedValue } from '../../core/edge/edge-value.ts';
import type { AppId, DomainId } from '../../core/ids.ts';
import { DAY_MS, type Instant } from '../../core/instant.ts';
import { claimEpoch, findEdgeValues, lockEdgeKeys, saveEdgeValues } from '../../store/edge/edge-values.ts';
import {
  findReconciled,
  listReconciled,
  RECONCILED,
  type Reconciled,
  type ReconciledSubjects,
  saveReconciled,
} from '../../store/edge/reconciled.ts';
import { type Context, type TxContext, transact } from '../context.ts';
import {
  EDGE_RENEWED_MS,
  type EdgePublishing,
  type EdgeSubjects,
  publishEdgeValues,
} from './publish-edge-values.ts';

/** Subjects in one transaction, which locks their keys. */
const PAGE = 200;
/** Transactions in one run of the job. The job is then due again at once, so that it never outlives its lease. */
const PAGES = 50;
const EVERY_MS = DAY_MS;

/**
 * Derives the values of all edges from the tables again, and writes those that differ (`decisions/0101`). They differ after a change of the
 * plans or of the edge keys, or if a transaction did not publish a change. Then deletes chains and challenges that no value needs. Continues
 * where the last run stopped.
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
 * Reconciles all values from the beginning, apart from the job. Afterwards, all values that this process can open are sealed with the current key.
 * @returns the number of values that were written.
 */
export async function reconcileAllEdgeValues(context: Context): Promise<number> {
  const { edges } = context;
  if (edges === null) return 0;
  let written = 0;
  for (let at: Reconciled | null = startAt(context); at !== null; ) {
    const from: Reconciled = at;
    const page = await transact(context, (tx) => reconcileAt(tx, edges, from));
    written += page.written;
    at = page.next;
  }
  return written;
}

const startAt = ({ clock }: Context): Reconciled => ({ of: RECONCILED[0], after: '', began: clock.now() });

function reconcilePage(
  context: Context,
  edges: EdgePublishing,
): Promise<{ written: number; isLast: boolean }> {
  return transact(context, async (tx) => {
    const { written, next } = await reconcileAt(tx, edges, await findReconciled(tx.store));
    // The position is stored with the epoch, which an installation without values does not have yet. All transactions lock keys first.
    await claimEpoch(tx.store, edges.installation);
    await saveReconciled(tx.store, next ?? startAt(tx));
    return { written, isLast: next === null };
  });
}

/** Reconciles a page. @returns where the next page begins; null after the last page. */
async function reconcileAt(
  tx: TxContext,
  edges: EdgePublishing,
  { of, after, began }: Reconciled,
): Promise<{ written: number; next: Reconciled | null }> {
  const { names, last } = await listReconciled(tx.store, of, { after, limit: PAGE });
  const kind = RENEWED[of];
  const renewed = kind === undefined ? 0 : await renewOrDelete(tx, edges, { kind, names, began });
  const written = renewed + (await publishEdgeValues(tx, edges, subjectsOf(of, names)));
  if (last !== null) return { written, next: { of, after: last, began } };
  const following = RECONCILED[RECONCILED.indexOf(of) + 1];
  return { written, next: following === undefined ? null : { of: following, after: '', began } };
}

const RENEWED: Partial<Record<ReconciledSubjects, EdgeKind>> = {
  chains: 'chain',
  answers: 'challenge',
  texts: 'dns',
};

/**
 * Deletes values that nothing has needed for long, and seals the other ones again under the current key. Otherwise a value that became unused
 * shortly before a rotation would need the old key for a month. Locks the keys first, because a transaction that needs such a value locks
 * its key and writes it.
 * @returns the number of values that were sealed again.
 */
async function renewOrDelete(
  { store, clock }: TxContext,
  { box, installation }: EdgePublishing,
  { kind, names, began }: { kind: EdgeKind; names: readonly string[]; began: Instant },
): Promise<number> {
  const [keys, now] = [names.map((name) => edgeKey(kind, name)), clock.now()];
  await lockEdgeKeys(store, keys);
  const stored = [...(await findEdgeValues(store, keys)).values()];
  // After this reconciliation began, each needed value that was older was written again. The day allows for wrong clocks.
  const unused = stored.filter(({ number }) => number < began - EDGE_RENEWED_MS - DAY_MS);
  const renewed = stored.flatMap((each) => (unused.includes(each) ? [] : openedOld(box, each)));
  if (unused.length + renewed.length === 0) return 0;
  const epoch = await claimEpoch(store, installation);
  const at = ({ key, number }: KeyedNumber) => ({ key, epoch, number: Math.max(number, now) + 1 });
  const sealed = renewed.map((each) => ({ ...at(each), value: box.seal(at(each), each.opened) }));
  await saveEdgeValues(store, [...unused.map((each) => ({ ...at(each), value: null })), ...sealed], now);
  return sealed.length;
}

type KeyedNumber = Pick<SealedValue, 'key' | 'number'>;

/** Returns a value that another key of the ring sealed. A value that cannot be opened stays as it is until it is unused for long. */
function openedOld(
  box: EdgePublishing['box'],
  { value, ...at }: SealedValue,
): (KeyedNumber & { opened: object })[] {
  if (value === null || box.isCurrent(value)) return [];
  try {
    return [{ ...at, opened: box.open({ ...at, value }) }];
  } catch {
    return []; // If a host needs this value, the page of the host has already written it again.
  }
}

function subjectsOf(of: ReconciledSubjects, names: readonly string[]): EdgeSubjects {
  const ifOf = <T extends string>(...kinds: ReconciledSubjects[]) =>
    new Set(kinds.includes(of) ? (names as T[]) : []);
  return {
    hostnames: ifOf('routes', 'challenges', 'lost_hosts'),
    holds: ifOf('holds', 'lost_holds'),
    drains: ifOf('drains', 'lost_drains'),
    apps: ifOf<AppId>('apps'),
    challenges: [],
    delegations: ifOf<DomainId>('delegations'),
  };
}
