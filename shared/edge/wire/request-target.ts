/**
 * Accepts only a target in origin-form (RFC 9112 section 3.2.1). With an absolute-form target, the origin could see a different host than
 * the one used for routing.
 * @returns why the target is refused, or null.
 */
export function refusedTarget(method: string, target: string): string | null {
  if (method === 'CONNECT') return 'CONNECT is not supported.';
  if (!target.startsWith('/')) return 'The request target is not a path.';
  // Visible ASCII only, so that every side signs the same bytes. A fragment is never sent (RFC 9110 section 7.1).
  if (!/^[\x21\x22\x24-\x7e]+$/.test(target))
    return 'The request target contains characters that are not allowed in a URL.';
  return null;
}
