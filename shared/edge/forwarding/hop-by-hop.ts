import { headerValues, listMembers } from '../wire/raw-headers.ts';

/**
 * Headers of one connection, never forwarded (RFC 9110 section 7.6.1). `Trailer` is among them because trailers are not
 * forwarded either way, and `Proxy` because CGI programs would read it as the variable HTTP_PROXY.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
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

/** What one message's headers say about its own connection: the fixed names and those that `Connection` names. */
export function hopByHop(raw_headers: readonly string[]): ReadonlySet<string> {
  const values = headerValues(raw_headers, 'connection');
  // What nearly everybody sends names no header.
  if (values.every((value) => /^(keep-alive|close)$/i.test(value))) return HOP_BY_HOP;
  return new Set([...HOP_BY_HOP, ...values.flatMap(listMembers)]);
}

/** The options of every `Connection` header, in lowercase. */
export function connectionOptions(raw_headers: readonly string[]): string[] {
  return headerValues(raw_headers, 'connection').flatMap(listMembers);
}
