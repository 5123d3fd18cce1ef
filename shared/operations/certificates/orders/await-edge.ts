import {
  type CertificateOrder,
  checkEdgeAgainAt,
  EDGE_PATIENCE_MS,
} from '../../../core/certificates/certificate-order.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

/**
 * Waits for our edge to serve the challenge or the certificate: checks it at growing intervals, and finally fails the attempt. The failure
 * does not count against any authority, and no authority is contacted.
 * @param missing what the edge does not serve yet, for the log.
 * @param reason why the attempt fails in the end.
 */
export function awaitEdge(
  { context: { clock, log } }: OrderWork,
  order: CertificateOrder,
  missing: string,
  reason: 'edge_not_ready' | 'proxy_https_failed' = 'edge_not_ready',
): StepOutcome {
  const now = clock.now();
  const since = order.unshown_since ?? now;
  const { domain_id, names, methods } = order;
  log.warn({ domain_id, names, methods, missing, waited_ms: now - since }, 'our edge is not ready');
  if (now - since >= EDGE_PATIENCE_MS) {
    const problem = { reason, found: missing, at: null, until: null } as const;
    const blameless = { ...order, ca: null, tried: [] };
    return { kind: 'unobtained', order: blameless, problem, obstacles: { place: null, failed: true } };
  }
  return { kind: 'wait', order: { ...order, unshown_since: since }, dueAt: checkEdgeAgainAt(since, now) };
}
