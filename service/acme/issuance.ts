import type { Issuance, IssuanceOutcome } from '../../shared/operations/context.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { ServiceConfig } from '../config.ts';
import { createEdgeProbe } from '../edge/edge-probe.ts';
import { createAcmeCa } from './acme-ca.ts';

/**
 * Creates clients for the configured certificate authorities, and the probe that checks our own edge. Returns null if no authority is
 * configured.
 */
export function createIssuance(
  { certificate_authorities, ca_roots, edge_probe_ports, settings }: ServiceConfig,
  clock: Clock,
  onOutcome: (outcome: IssuanceOutcome) => void = () => undefined,
): (Issuance & { close(): Promise<void> }) | null {
  if (certificate_authorities.length === 0) return null;
  const userAgent = settings.names.probe_user_agent;
  const authorities = certificate_authorities.map((ca) =>
    createAcmeCa(ca, { roots: ca_roots, clock, user_agent: userAgent }),
  );
  const [httpPort, httpsPort] = edge_probe_ports;
  return {
    authorities,
    on_outcome: onOutcome,
    edge: createEdgeProbe({
      addresses: [...settings.edge_ipv4, ...settings.edge_ipv6],
      http_port: httpPort,
      https_port: httpsPort,
    }),
    async close() {
      await Promise.all(authorities.map((each) => each.close()));
    },
  };
}
