import { readConfig, type ServiceConfig } from '../../../service/config.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { SAMPLE_KEYS } from './sample-values.ts';

/** A log that prints only errors, on standard error. */
export const QUIET = createJsonLog('error', { write: (line: string) => void process.stderr.write(line) });

/** Returns the configuration of a node that is only an edge, with any free ports, and with origins on this machine allowed. */
export function edgeConfig({ databaseUrl, folder }: { databaseUrl: string; folder: string }): ServiceConfig {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    NAMEPLATE_ROLES: 'edge',
    NAMEPLATE_EDGE_REPLICA: folder,
    NAMEPLATE_ENCRYPTION_KEYS: SAMPLE_KEYS,
    NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
    NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
    NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
    // The edge must not have an address of this machine, because the origins are on this machine.
    NAMEPLATE_EDGE_IPV4: '192.0.2.1',
    NAMEPLATE_EDGE_IPV6: '2001:db8::1',
  });
  return { ...config, settings: { ...config.settings, allowLoopback: true } };
}
