import { readConfig } from '../../../service/config.ts';
import { startDnsNode } from '../../../service/dns/start-dns-node.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';

/** A program that runs a node with only the role `dns`, configured by environment variables. Prints the port once the node listens. */
const { addresses } = await startDnsNode(
  readConfig(process.env),
  createJsonLog('silent', { write: () => undefined }),
);
console.log(addresses.dns?.[0]?.port);
process.once('SIGTERM', () => process.exit());
