import { headerValues, isPlain } from '../wire/raw-headers.ts';
import { hopByHop } from './hop-by-hop.ts';

/**
 * What the visitor gets of an origin's headers, pure, as a flat list; null when the answer cannot be passed on as it was meant: a transfer
 * coding other than chunked, which the connection to the origin has not undone, or a control character.
 */
export function visitorHeaders(raw_headers: readonly string[], status: number): string[] | null {
  if (!raw_headers.every(isPlain)) return null;
  const codings = headerValues(raw_headers, 'transfer-encoding');
  if (codings.length > 1 || (codings[0] ?? 'chunked').toLowerCase() !== 'chunked') return null;
  const hop_by_hop = hopByHop(raw_headers);
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw_headers.length; i += 2) {
    const name = raw_headers[i] ?? '';
    const lower = name.toLowerCase();
    if (hop_by_hop.has(lower) || isEdges(lower, status)) continue;
    headers.push(name, raw_headers[i + 1] ?? '');
  }
  return headers;
}

function isEdges(name: string, status: number): boolean {
  // RFC 9110 section 8.6: no Content-Length with 1xx and 204.
  if (name === 'content-length') return status < 200 || status === 204;
  // Alt-Svc (RFC 7838) names other doors to this hostname, and the doors of the hostname are the edge's, not the origin's.
  return name === 'alt-svc';
}
