import { readConfig, type ServiceConfig } from '../../../service/config.ts';

export const KEY_RING = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/** Ports are the system's to choose. The edge's addresses are refused as a receiver's, so loopback is none of them. */
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
 * What an operator would set, but for receivers and origins on loopback: that is no setting of the environment, so that no deployment
 * can have it.
 */
export function testConfig(database_url: string, env: NodeJS.ProcessEnv = {}): ServiceConfig {
  const config = readConfig({ ...ENV, DATABASE_URL: database_url, ...env });
  return { ...config, settings: { ...config.settings, allow_loopback: true } };
}
