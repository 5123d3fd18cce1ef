import { isUnder } from '../../shared/core/domains/hostname.ts';
import { isGlobalUnicast, isLoopbackHost } from '../../shared/core/net/address.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { ServiceConfig } from '../config.ts';
import { canFollow } from './key-rings.ts';
import { isOutside } from './node-roles.ts';

/** Work that a node cannot do with its configuration. */
export interface ConfigurationWarning {
  /** The setting to change. */
  setting: string;
  /** The rest of a sentence that begins with "this node cannot". */
  cannot: string;
}

/** Returns what a node cannot do with these settings. The node still accepts domains, which then wait until the settings change. */
export function configurationWarnings(config: ServiceConfig): ConfigurationWarning[] {
  const { baseUrl, edgeZone, sandboxZone, edgeIpv4, edgeIpv6 } = config.settings;
  const outside = isOutside(config.roles);
  const privateV4 = edgeIpv4.filter((ip) => !isGlobalUnicast(ip));
  const privateV6 = edgeIpv6.filter((ip) => !isGlobalUnicast(ip));
  // A relay uses neither the zones nor the addresses of the edge.
  const namesEdge = config.roles.some((role) => role !== 'relay');
  const found: [out_of_reach: boolean, setting: string, cannot: string][] = [
    [
      !outside && config.certificateAuthorities.length === 0,
      'NAMEPLATE_CAS',
      'obtain certificates: live domains stay in issuing',
    ],
    [
      namesEdge && isReserved(edgeZone),
      'NAMEPLATE_EDGE_ZONE',
      `receive visitors through a CNAME: names in ${edgeZone} do not resolve. Use a zone of yours and publish its DNS records`,
    ],
    [
      namesEdge && privateV4.length > 0,
      'NAMEPLATE_EDGE_IPV4',
      `receive visitors of apex domains: ${notPublic(privateV4)}`,
    ],
    [
      namesEdge && privateV6.length > 0,
      'NAMEPLATE_EDGE_IPV6',
      `receive visitors of apex domains over IPv6: ${notPublic(privateV6)}`,
    ],
    [
      namesEdge && isReserved(sandboxZone),
      'NAMEPLATE_SANDBOX_ZONE',
      `receive visitors of test domains: names in ${sandboxZone} do not resolve`,
    ],
    [
      !outside && isLoopbackHost(new URL(baseUrl).hostname),
      'NAMEPLATE_BASE_URL',
      `show its connect pages to customers: ${baseUrl} is this machine`,
    ],
    [
      isHidden(config),
      'NAMEPLATE_BASE_URL',
      `be reached at ${baseUrl}: the role dns answers for that name with the addresses of the edge. Use a host outside the edge zone and the sandbox zone`,
    ],
    [
      config.roles.includes('dns') &&
        config.dns !== null &&
        isUnder(config.dns.contact.split('@')[1] ?? '', edgeZone),
      'NAMEPLATE_DNS_CONTACT',
      `receive mail about its zones: every name in ${edgeZone} leads to the edge. Use an address outside the zone`,
    ],
    [
      config.roles.includes('dns') && outside && config.settings.challengeZone !== null && !canFollow(config),
      config.databaseUrl === null ? 'DATABASE_URL' : 'NAMEPLATE_EDGE_KEYS',
      'answer DNS-01 challenges: hostnames get no certificate before they move. Set NAMEPLATE_EDGE_KEYS, and DATABASE_URL or NAMEPLATE_EDGE_SOURCE=nats',
    ],
    [
      expectsProxyProtocolFromEdge(config),
      'NAMEPLATE_INNER_URL',
      'serve white-label pages and test domains: the API expects the PROXY protocol from this machine. Use the address of its load balancer',
    ],
    [!outside && config.mail === null, 'SMTP_URL', 'send mail: connect pages offer no notification'],
  ];
  return found.flatMap(([outOfReach, setting, cannot]) => (outOfReach ? { setting, cannot } : []));
}

function notPublic(addresses: readonly string[]): string {
  const are = addresses.length === 1 ? 'is not a public address' : 'are not public addresses';
  return `${addresses.join(', ')} ${are}`;
}

/** Logs the configuration warnings. With an embedded database, they are logged as info, because such a node is only a trial. */
export function logConfigurationWarnings(
  log: Log,
  { databaseUrl }: ServiceConfig,
  warnings: readonly ConfigurationWarning[],
): void {
  if (warnings.length === 0) return;
  log[databaseUrl === null ? 'info' : 'warn'](
    { configuration_warnings: warnings },
    'some settings limit what this node can do',
  );
}

/**
 * Returns whether separate edge processes reach the API at a loopback address from which the API accepts only the PROXY protocol. The
 * processes do not send it.
 */
function expectsProxyProtocolFromEdge({ roles, edgeProcesses, innerUrl, apiHops }: ServiceConfig): boolean {
  const asks = roles.includes('edge') && (isOutside(roles) || edgeProcesses > 1);
  const { hostname } = new URL(innerUrl);
  return asks && isLoopbackHost(hostname) && apiHops.balancers.has(hostname);
}

/** Returns whether the host of the API is in a zone that the role `dns` serves, in which every name points to the edge. */
function isHidden({ roles, settings }: ServiceConfig): boolean {
  const { hostname } = new URL(settings.baseUrl);
  const zones = [settings.edgeZone, settings.sandboxZone];
  return roles.includes('dns') && zones.some((zone) => isUnder(hostname, zone));
}

/** Returns whether a zone is in a top-level domain that no public DNS server has (RFC 6761). */
function isReserved(zone: string): boolean {
  return /(^|\.)(test|example|invalid|localhost)$/.test(zone);
}
