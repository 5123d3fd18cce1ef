import type { Instant } from '../../core/instant.ts';
import { isOneOf } from '../row-list.ts';
import type { Store, Tx } from '../store.ts';

/** An edge machine that an operator has taken out of service. */
export interface EdgeDrain {
  node: string;
  /** The operator. */
  actor: string;
  drained_at: Instant;
}

/** Inserts a drain. Keeps an earlier drain of the node as it is. */
export async function insertEdgeDrain(tx: Tx, drain: EdgeDrain): Promise<void> {
  await tx.db
    .insertInto('edge_drains')
    .values(drain)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteEdgeDrain(tx: Tx, node: string): Promise<void> {
  await tx.db.deleteFrom('edge_drains').where('node', '=', node).execute();
}

/** Returns the drains of some nodes, or all drains if `nodes` is absent. */
export async function findEdgeDrains(store: Store, nodes?: readonly string[]): Promise<EdgeDrain[]> {
  const query = store.db.selectFrom('edge_drains').selectAll().orderBy('node');
  return nodes === undefined ? query.execute() : query.where(isOneOf(store, 'node', nodes)).execute();
}
