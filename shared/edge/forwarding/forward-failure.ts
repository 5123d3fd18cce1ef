import { ConnectFailure } from '../../adapters/guarded-connect.ts';

/** Returns the status for an origin's failure: 504 for a timeout, 502 for anything else. */
export function failureStatus(error: Error): 502 | 504 {
  if (error instanceof ConnectFailure) return error.error === 'timeout' ? 504 : 502;
  return 'code' in error && TIMEOUTS.has(error.code) ? 504 : 502;
}

const TIMEOUTS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
