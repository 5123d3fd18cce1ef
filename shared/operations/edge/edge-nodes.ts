import { EDGE_SILENT_MS, type HeardEdge } from '../../core/edge/edge-health.ts';
import { listEdgeBeats } from '../../store/edge/edge-beats.ts';
import {
  deleteEdgeDrain,
  type EdgeDrain,
  findEdgeDrains,
  insertEdgeDrain,
} from '../../store/edge/edge-drains.ts';
import type { Context } from '../context.ts';
import { withAudit } from '../operator/with-audit.ts';

/** An edge machine as operators see it. */
export interface EdgeNode {
  node: string;
  /** Null for a drained node that has sent no beat. */
  beat: HeardEdge | null;
  state: 'serving' | 'not_ready' | 'silent' | 'draining' | 'drained';
  drain: EdgeDrain | null;
}

/** Lists all edge machines that have sent a beat or have a drain, by name. Needs Postgres. */
export async function listEdgeNodes({ store }: Context): Promise<EdgeNode[]> {
  const [beats, drains] = await Promise.all([listEdgeBeats(store), findEdgeDrains(store)]);
  const names = new Set([...beats, ...drains].map(({ node }) => node));
  return [...names].toSorted().map((node) => {
    const beat = beats.find((each) => each.node === node) ?? null;
    const drain = drains.find((each) => each.node === node) ?? null;
    return { node, beat, drain, state: stateOf(beat, drain) };
  });
}

function stateOf(beat: HeardEdge | null, drain: EdgeDrain | null): EdgeNode['state'] {
  const isSilent = beat === null || beat.heard_ms >= EDGE_SILENT_MS;
  if (drain !== null) return isSilent || beat.state === 'drained' ? 'drained' : 'draining';
  return isSilent ? 'silent' : beat.state;
}

/** Drains an edge machine on behalf of an operator, and writes an audit entry. A node that has a drain keeps it. */
export async function drainEdge(context: Context, actor: string, node: string): Promise<void> {
  await withAudit(context, { actor, action: 'edge.drain', subject: node }, async (tx) => {
    await insertEdgeDrain(tx.store, { node, actor, drained_at: tx.clock.now() });
    tx.notices.publish({ kind: 'drain', node });
  });
}

/** Ends the drain of an edge machine on behalf of an operator, and writes an audit entry. */
export async function undrainEdge(context: Context, actor: string, node: string): Promise<void> {
  await withAudit(context, { actor, action: 'edge.undrain', subject: node }, async (tx) => {
    await deleteEdgeDrain(tx.store, node);
    tx.notices.publish({ kind: 'drain', node });
  });
}
