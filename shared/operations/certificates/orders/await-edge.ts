import {
  type CertificateOrder,
  checkEdgeAgainAt,
  EDGE_PATIENCE_MS,
} from '../../../core/certificates/certificate-order.ts';
import type { EdgeView } from '../../../ports/outbound.ts';
import type { OrderWork, StepOutcome } from './step-outcome.ts';

/** Many networks do not lead a node back to its own public address. */
const UNREACHABLE =
  'our edge does not respond to this node. If it responds elsewhere, set NAMEPLATE_EDGE_PROBE_ADDRESSES or NAMEPLATE_DNS_PROBE_ADDRESSES to addresses that this node reaches';

/**
 * Waits for our edge to serve the challenge or the certificate: checks it at growing intervals, and finally fails the attempt. The failure
 * does not count against any authority, and no authority is contacted.
 * @param missing what the edge does not serve yet, for the log.
 * @param seen the addresses that were asked, if none of them responded to this node.
 * @param reason why the attempt fails in the end.
 */
export function awaitEdge(
  { context: { clock, log } }: OrderWork,
  order: CertificateOrder,
  missing: string,
  seen: EdgeView,
  reason: 'edge_not_ready' | 'proxy_https_failed' = 'edge_not_ready',
): StepOutcome {
  const now = clock.now();
  const since = order.unshown_since ?? now;
  const { domain_id, names, methods } = order;
  const silent = typeof seen === 'boolean' ? null : seen.unreachable;
  const details = { domain_id, names, methods, missing, addresses: silent, waited_ms: now - since };
  log.warn(details, silent === null ? 'our edge is not ready' : UNREACHABLE);
  if (now - since >= EDGE_PATIENCE_MS) {
    const found = silent === null ? missing : `no response from ${silent.join(', ')} to the node that checks`;
    const problem = { reason, found, at: null, until: null } as const;
    const blameless = { ...order, ca: null, tried: [] };
    return { kind: 'unobtained', order: blameless, problem, obstacles: { place: null, failed: true } };
  }
  return { kind: 'wait', order: { ...order, unshown_since: since }, dueAt: checkEdgeAgainAt(since, now) };
}
