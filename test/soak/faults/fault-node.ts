import { createJsonLog } from '../../../service/health/json-log.ts';
import { startNode } from '../../../service/node.ts';
import { startOutsideNode } from '../../../service/outside-node.ts';
import { isOutside } from '../../../service/settings/node-roles.ts';
import { testConfig } from '../../service/settings/test-config.ts';

/**
 * A program that runs one node with its own clock and log, and with receivers on loopback allowed. SIGTERM stops the node cleanly. The
 * first SIGUSR2 moves the node's time of day ahead, and the next one moves it back.
 */
const WRONG_MS = 600_000;
const rightNow = Date.now;
process.on('SIGUSR2', () => {
  Date.now = Date.now === rightNow ? () => rightNow() + WRONG_MS : rightNow;
});
process.once('disconnect', () => process.exit());
const log = createJsonLog('info', { write: (line) => process.stderr.write(line) });
const config = testConfig(process.env['DATABASE_URL'] ?? '', process.env);
const { stop } = await (isOutside(config.roles) ? startOutsideNode(config, log) : startNode(config, log));
process.once('SIGTERM', () => stop().then(() => process.exit()));
process.send?.('started');
