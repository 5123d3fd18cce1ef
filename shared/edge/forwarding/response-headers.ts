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

/** Returns the names of a message's hop-by-hop headers, in lowercase: the fixed names, and the names in its `Connection` header. */
export function hopByHop(rawHeaders: readonly string[]): ReadonlySet<string> {
  const values = headerValues(rawHeaders, 'connection');
  // The usual values of `Connection` name no further header, so no new set has to be created.
  if (values.every((value) => /^(keep-alive|close)$/i.test(value))) return HOP_BY_HOP;
  return new Set([...HOP_BY_HOP, ...values.flatMap(listHeaderMembers)]);
}

/**
 * Returns the headers of an origin's response for the visitor, as a flat list of names and values. A pure function.
 * @returns null if the response cannot be forwarded, because a header has a control character, or because the body has a transfer coding
 * other than chunked.
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
  // Responses with 1xx and 204 must not have a Content-Length (RFC 9110 section 8.6).
  if (name === 'content-length') return status < 200 || status === 204;
  // Removes Alt-Svc (RFC 7838), which names other endpoints of this hostname, because visitors must connect to the edge.
  return name === 'alt-svc';
}
