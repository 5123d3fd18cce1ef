import { readConfig } from '../../../service/config.ts';
import { startDnsNode } from '../../../service/dns/start-dns-node.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';

/** A program that runs a node with only the role `dns`, from its environment. Prints its port once it listens. */
const { addresses } = await startDnsNode(
  readConfig(process.env),
  createJsonLog('silent', { write: () => undefined }),
);
console.log(addresses.dns?.[0]?.port);
process.once('SIGTERM', () => process.exit());
