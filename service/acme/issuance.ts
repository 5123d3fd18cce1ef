import { isIPv6 } from 'node:net';
import { createOutbound } from '../../shared/adapters/guarded-outbound.ts';
import type { Settings } from '../../shared/core/settings.ts';
import type { Issuance, IssuanceOutcome } from '../../shared/operations/context.ts';
import type { Clock } from '../../shared/ports/system.ts';
import type { ServiceConfig } from '../config.ts';
import type { DnsRoleSettings } from '../dns/zones-of-settings.ts';
import { createEdgeProbe } from '../edge/edge-probe.ts';
import { createAcmeCa } from './acme-ca.ts';

/**
 * Creates clients for the configured certificate authorities, and the probe that checks our own edge. Returns null if no authority is
 * configured.
 */
export function createIssuance(
  { certificateAuthorities, caRoots, edgeProbeAddresses, edgeProbePorts, settings, dns }: ServiceConfig,
  clock: Clock,
  onOutcome: (outcome: IssuanceOutcome) => void = () => undefined,
): (Issuance & { close(): Promise<void> }) | null {
  if (certificateAuthorities.length === 0) return null;
  const userAgent = settings.names.probe_user_agent;
  const authorities = certificateAuthorities.map((ca) =>
    createAcmeCa(ca, { roots: caRoots, clock, userAgent }),
  );
  const [httpPort, httpsPort] = edgeProbePorts;
  const oldHosts = createOutbound({
    allowLoopback: settings.allowLoopback,
    allowPlainHttp: true,
    refusedAddresses: [...settings.edgeIpv4, ...settings.edgeIpv6],
  });
  return {
    authorities,
    oldHosts,
    onOutcome,
    edge: createEdgeProbe({
      addresses: edgeProbeAddresses ?? [...settings.edgeIpv4, ...settings.edgeIpv6],
      httpPort,
      httpsPort,
      nameServers: nameServersOf(settings, dns),
    }),
    async close() {
      await Promise.all([...authorities, oldHosts].map((each) => each.close()));
    },
  };
}

/** Returns the addresses of our name servers and the zone of delegated challenges, for the probe. Returns null without them. */
function nameServersOf({ challengeZone }: Settings, dns: DnsRoleSettings | null) {
  if (challengeZone === null || dns === null) return null;
  const addresses = dns.probeAddresses ?? dns.servers.flatMap((server) => server.addresses);
  return {
    challengeZone,
    addresses: addresses.map((ip) => (isIPv6(ip) ? `[${ip}]:${dns.probePort}` : `${ip}:${dns.probePort}`)),
  };
}
