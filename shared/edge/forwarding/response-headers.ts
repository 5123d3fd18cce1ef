import { headerValues, isPlain, listHeaderMembers } from '../wire/raw-headers.ts';

/**
 * Headers that apply to one connection and are never forwarded (RFC 9110 section 7.6.1). `Trailer` is included because trailers are not
 * forwarded in either direction. `Proxy` is included because CGI programs would read it as the variable HTTP_PROXY.
 */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Returns the names of a message's hop-by-hop headers, in lowercase: the fixed names, and those that its `Connection` header lists. */
export function hopByHop(rawHeaders: readonly string[]): ReadonlySet<string> {
  const values = headerValues(rawHeaders, 'connection');
  // The usual values name no other header, so the shared set is enough.
  if (values.every((value) => /^(keep-alive|close)$/i.test(value))) return HOP_BY_HOP;
  return new Set([...HOP_BY_HOP, ...values.flatMap(listHeaderMembers)]);
}

/**
 * Returns an origin's response headers for the visitor, as a flat list. Pure.
 * @returns null if the response cannot be passed on: a header has a control character, or a transfer coding other than chunked is still
 * applied to the body.
 */
export function visitorHeaders(rawHeaders: readonly string[], status: number): string[] | null {
  if (!rawHeaders.every(isPlain)) return null;
  const codings = headerValues(rawHeaders, 'transfer-encoding');
  if (codings.length > 1 || (codings[0] ?? 'chunked').toLowerCase() !== 'chunked') return null;
  const dropped = hopByHop(rawHeaders);
  const headers: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const lower = name.toLowerCase();
    if (dropped.has(lower) || isRemoved(lower, status)) continue;
    headers.push(name, rawHeaders[i + 1] ?? '');
  }
  return headers;
}

function isRemoved(name: string, status: number): boolean {
  // RFC 9110 section 8.6: no Content-Length with 1xx and 204.
  if (name === 'content-length') return status < 200 || status === 204;
  // Alt-Svc (RFC 7838) names other endpoints of this hostname. The origin cannot name any, because visitors connect to the edge.
  return name === 'alt-svc';
}
