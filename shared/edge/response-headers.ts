import { hopByHop } from './hop-by-hop.ts';
import { headerPairs, headerValues } from './raw-headers.ts';

/**
 * What the visitor gets of an origin's headers, pure, as a flat list; null when the answer cannot be passed on as it was meant: a transfer
 * coding other than chunked, which the connection to the origin has not undone.
 */
export function visitorHeaders(raw_headers: readonly string[], status: number): string[] | null {
  const codings = headerValues(raw_headers, 'transfer-encoding');
  if (codings.length > 1 || (codings[0] ?? 'chunked').toLowerCase() !== 'chunked') return null;
  // Alt-Svc (RFC 7838) names other doors to this hostname, and the doors of the hostname are the edge's, not the origin's.
  const dropped = new Set([...hopByHop(raw_headers), 'alt-svc']);
  // RFC 9110 section 8.6: no Content-Length with 1xx and 204.
  if (status < 200 || status === 204) dropped.add('content-length');
  return headerPairs(raw_headers)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
}
