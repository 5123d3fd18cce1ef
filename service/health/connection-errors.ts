import type { ConnectionError, ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { createLogLimit } from '../../shared/core/text/log-limit.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Metrics } from './metrics.ts';

/** Servers of a node, by their names in the metrics. */
export const SERVER_NAMES = ['api', 'edge', 'edge_http', 'sandbox', 'dns', 'admin'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];
export const CONNECTION_ERROR_SIDES: readonly ConnectionError['kind'][] = ['peer', 'node'];

/** Limits the log lines that strangers can cause. The metrics still count every error. */
const LINES = { eachPerMinuteMax: 5, perMinuteMax: 20 };

/** Counts each contained error of a connection, and logs those that the node caused. */
export function countConnectionErrors(
  metrics: Pick<Metrics, 'connectionError'>,
  log: Log,
): (server: ServerName) => ReportConnectionError {
  const limit = createLogLimit(LINES);
  return (server) =>
    ({ kind, error }) => {
      metrics.connectionError(server, kind);
      const line = kind === 'node' ? limit(server, monotonicClock.now()) : null;
      if (line !== null) log.error({ server, error, ...line }, 'an error of the node ended a connection');
    };
}
