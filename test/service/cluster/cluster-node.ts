import { once } from 'node:events';
import { type ServiceNode, startNode } from '../../../service/node.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';
import { isOutside } from '../../../service/settings/node-roles.ts';
import { systemClock } from '../../../shared/adapters/system.ts';
import { testConfig } from '../settings/test-config.ts';

/**
 * A program that runs a node of the hosted service, configured by its environment, with receivers on loopback. It reports its addresses to
 * its parent. When the parent sends a number of milliseconds, the node moves its clock forward. So the leases of killed nodes expire
 * without a real wait. SIGTERM stops it cleanly.
 */
export interface NodeAddresses {
  api_url: string;
  admin_url: string;
  edge_port: number | null;
  edge_http_port: number | null;
}

/** The port of the test's name servers. */
const { AUTHORITY_PORT } = process.env;
process.once('disconnect', () => process.exit());
const ahead = { ms: 0 };
const log = { info: () => undefined, warn: () => undefined, error: console.error };
const config = testConfig(process.env['DATABASE_URL'] ?? '', process.env);
const clock = { now: () => systemClock.now() + ahead.ms };
const node: Pick<ServiceNode, 'addresses' | 'stop'> & Partial<ServiceNode> = await (isOutside(config.roles)
  ? startOutsideNode(config, log, { clock })
  : startNode(config, log, {
      clock,
      ...(AUTHORITY_PORT === undefined ? {} : { authorityPort: Number(AUTHORITY_PORT) }),
    }));
const { addresses, composition, stop } = node;
const told: NodeAddresses = {
  api_url: `http://127.0.0.1:${addresses.api?.port}`,
  admin_url: `http://127.0.0.1:${addresses.admin.port}`,
  edge_port: addresses.edge?.port ?? null,
  edge_http_port: addresses.edgeHttp?.port ?? null,
};
process.once('SIGTERM', () => stop().then(() => process.exit()));
process.send?.(told);
for (;;) {
  const [byMs] = await once(process, 'message');
  ahead.ms += Number(byMs);
  composition?.context.notices.publish({ kind: 'work' });
  process.send?.('moved');
}
