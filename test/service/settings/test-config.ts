import { readConfig, type ServiceConfig } from '../../../service/config.ts';
import { replicaFolder } from '../../fixtures/replica-folder.ts';

export const KEY_RING = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

/**
 * Port 0 lets the system choose a port. The edge's addresses are not on loopback, because the tests' receivers are on loopback and must
 * not share an address with the edge.
 */
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
 * Returns an operator's configuration, except that receivers and origins may be on loopback. Only tests can allow loopback, because no
 * environment variable does.
 */
export function testConfig(databaseUrl: string, env: NodeJS.ProcessEnv = {}): ServiceConfig {
  const config = readConfig({
    ...ENV,
    DATABASE_URL: databaseUrl,
    NAMEPLATE_EDGE_REPLICA: replicaFolder(),
    ...env,
  });
  return { ...config, settings: { ...config.settings, allowLoopback: true } };
}
