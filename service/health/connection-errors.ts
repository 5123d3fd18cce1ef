import type { ConnectionError, ReportConnectionError } from '../../shared/adapters/owned-server.ts';
import { monotonicClock } from '../../shared/adapters/system.ts';
import { createLogLimit } from '../../shared/core/text/log-limit.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { Metrics } from './metrics.ts';

/** The servers of a node, as the metrics name them. */
export const SERVER_NAMES = ['api', 'edge', 'edge_http', 'sandbox', 'dns', 'admin'] as const;
export type ServerName = (typeof SERVER_NAMES)[number];
export const CONNECTION_ERROR_SIDES: readonly ConnectionError['kind'][] = ['peer', 'node'];

/** The limits of log lines that clients can cause. The metrics still count every error. */
const LINES = { eachPerMinuteMax: 5, perMinuteMax: 20 };

/** Counts the errors that end a single connection, and logs the errors that the node itself caused. */
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
