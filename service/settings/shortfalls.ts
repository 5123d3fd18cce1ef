import { isGlobalUnicast, isLoopbackHost } from '../../shared/core/edge/address.ts';
import type { ServiceConfig } from '../config.ts';

/** Something that a service does, and that this configuration cannot. */
export interface Shortfall {
  /** What is to be set. */
  setting: string;
  /** It cannot … */
  cannot: string;
}

/** What is out of reach with these settings. Nothing is refused for it: domains are added, and wait. */
export function shortfallsOf(config: ServiceConfig): Shortfall[] {
  const { base_url, edge_zone, sandbox_zone, edge_ipv4, edge_ipv6 } = config.settings;
  const private_v4 = edge_ipv4.filter((ip) => !isGlobalUnicast(ip)).join(', ');
  const private_v6 = edge_ipv6.filter((ip) => !isGlobalUnicast(ip)).join(', ');
  const found: [out_of_reach: boolean, setting: string, cannot: string][] = [
    [
      config.certificate_authorities.length === 0,
      'NAMEPLATE_CAS',
      'obtain certificates: live domains stay in issuing',
    ],
    [
      isReserved(edge_zone),
      'NAMEPLATE_EDGE_ZONE',
      `get visitors by a CNAME: nobody finds names in ${edge_zone}. Name a zone of yours and publish its wildcard record, such as *.edge.example.net`,
    ],
    [
      private_v4 !== '',
      'NAMEPLATE_EDGE_IPV4',
      `get visitors of apex domains: ${private_v4} cannot be reached`,
    ],
    [
      private_v6 !== '',
      'NAMEPLATE_EDGE_IPV6',
      `get visitors of apex domains by IPv6: ${private_v6} cannot be reached`,
    ],
    [
      isReserved(sandbox_zone),
      'NAMEPLATE_SANDBOX_ZONE',
      `be found for test domains: nobody finds names in ${sandbox_zone}`,
    ],
    [
      isLoopbackHost(new URL(base_url).hostname),
      'NAMEPLATE_BASE_URL',
      `show its connect pages to customers: ${base_url} is this machine`,
    ],
    [config.mail === null, 'SMTP_URL', 'send mail: connect pages offer none'],
  ];
  return found.flatMap(([out_of_reach, setting, cannot]) => (out_of_reach ? { setting, cannot } : []));
}

/** Top-level domains that no DNS server has (RFC 6761). */
function isReserved(zone: string): boolean {
  return /(^|\.)(test|example|invalid|localhost)$/.test(zone);
}
