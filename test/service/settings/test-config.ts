import { readConfig, type ServiceConfig } from '../../../service/config.ts';

export const KEY_RING = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** The system chooses the ports. Receivers must not have the edge's addresses, so these are not on loopback. */
const ENV = {
  NAMEPLATE_ENCRYPTION_KEYS: KEY_RING,
  NAMEPLATE_EDGE_IPV4: '203.0.113.10',
  NAMEPLATE_EDGE_IPV6: '2001:db8::10',
  NAMEPLATE_API_LISTEN: '127.0.0.1:0',
  NAMEPLATE_EDGE_LISTEN: '127.0.0.1:0',
  NAMEPLATE_EDGE_HTTP_LISTEN: '127.0.0.1:0',
  NAMEPLATE_ADMIN_LISTEN: '127.0.0.1:0',
};

/**
 * Configuration as from an operator, but with receivers and origins allowed on loopback. No environment variable allows that, so that no
 * deployment can.
 */
export function testConfig(databaseUrl: string, env: NodeJS.ProcessEnv = {}): ServiceConfig {
  const config = readConfig({ ...ENV, DATABASE_URL: databaseUrl, ...env });
  return { ...config, settings: { ...config.settings, allowLoopback: true } };
}
