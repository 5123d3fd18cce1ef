/**
 * Origin-form only (RFC 9112 section 3.2.1): an absolute-form target reached an origin under another Host than the one routed by.
 * @returns why the target is refused, or null.
 */
export function refusedTarget(method: string, target: string): string | null {
  if (method === 'CONNECT') return 'CONNECT is not for this server.';
  if (!target.startsWith('/')) return 'The request target is not a path.';
  // Visible ASCII only, so that every side signs the same bytes; no fragment, which is never sent (RFC 9110 section 7.1).
  if (!/^[\x21\x22\x24-\x7e]+$/.test(target)) return 'The request target has characters that a URL has not.';
  return null;
}
