import {
  type CertificateOrder,
  checkEdgeAgainAt,
  EDGE_PATIENCE_MS,
} from '../../../core/certificates/certificate-order.ts';
import { attemptFailed } from './attempt-failed.ts';
import { type OrderWork, type StepOutcome, saveOrder } from './order-work.ts';

/**
 * Waits for our edge to serve what it should: checks it at growing intervals, and finally fails the attempt. The failure is not counted
 * against any authority, and no authority is contacted.
 * @param missing what the edge does not serve yet, for the log.
 */
export async function awaitEdge(
  work: OrderWork,
  order: CertificateOrder,
  missing: string,
): Promise<StepOutcome> {
  const { clock, log } = work.context;
  const now = clock.now();
  const since = order.unshown_since ?? now;
  const { domain_id, names, methods } = order;
  log.warn({ domain_id, names, methods, missing, waited_ms: now - since }, 'our edge is not ready');
  if (now - since >= EDGE_PATIENCE_MS) {
    const problem = { reason: 'edge_not_ready', found: missing, at: null, until: null } as const;
    return attemptFailed(work, { ...order, ca: null, tried: [] }, problem);
  }
  const outcome = await saveOrder(work, { ...order, unshown_since: since }, undefined, order.progressed_at);
  return outcome === 'again' ? checkEdgeAgainAt(since, now) : outcome;
}
