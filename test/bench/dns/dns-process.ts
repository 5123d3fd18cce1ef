import { readConfig } from '../../../service/config.ts';
import { createJsonLog } from '../../../service/health/json-log.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';

/** A program that runs a node with only the role `dns`, configured by environment variables. Prints the port once the node listens. */
const { addresses } = await startOutsideNode(
  readConfig(process.env),
  createJsonLog('silent', { write: () => undefined }),
);
console.log(addresses.dns?.[0]?.port);
process.once('SIGTERM', () => process.exit());
