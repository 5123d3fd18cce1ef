import { headerValues, listHeaderMembers } from '../wire/raw-headers.ts';

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
