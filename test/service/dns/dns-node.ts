import { readConfig, type ServiceConfig } from '../../../service/config.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';

/** Settings of a node with the role `dns` on free ports. */
export const DNS_ENV = {
  NAMEPLATE_ROLES: 'dns',
  NAMEPLATE_EDGE_ZONE: 'edge.example.net',
  NAMEPLATE_SANDBOX_ZONE: 'sandbox.example.net',
  NAMEPLATE_EDGE_IPV4: '192.0.2.10,192.0.2.11',
  NAMEPLATE_EDGE_IPV6: '2001:db8::10',
  NAMEPLATE_DNS_SERVERS: 'ns1.example.net, ns2.edge.example.net 192.0.2.53 2001:db8::53',
  NAMEPLATE_DNS_LISTEN: '127.0.0.1:0',
  NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
};

export const QUIET = createJsonLog('silent', { write: () => undefined });

export function dnsConfig(env: Record<string, string> = {}): ServiceConfig {
  return readConfig({ ...DNS_ENV, ...env });
}
