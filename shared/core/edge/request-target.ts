/**
 * Checks a request target, which must be in origin-form (RFC 9112 section 3.2.1). Pass a target in absolute-form through `splitTarget`
 * first.
 * @returns the reason to refuse the request, or null.
 */
export function refusedTarget(method: string, target: string): RefusedTarget | null {
  if (method === 'CONNECT') return 'connect';
  if (!target.startsWith('/')) return 'no_path';
  // Only visible ASCII is allowed, so that both sides sign the same bytes. A fragment is not allowed, because clients never send it (RFC
  // 9110 section 7.1).
  if (!/^[\x21\x22\x24-\x7e]+$/.test(target)) return 'target_characters';
  return null;
}

type RefusedTarget = 'connect' | 'no_path' | 'target_characters';

/**
 * Splits a request target in absolute-form (RFC 9112 section 3.2.2). The authority replaces the `Host` header, so that the origin gets the
 * host that was used for routing.
 * @returns the authority, which is null if the target has another form, and the target in origin-form.
 */
export function splitTarget(target: string): { authority: string | null; pathAndQuery: string } {
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return { authority: null, pathAndQuery: target };
  return { authority, pathAndQuery: rest.startsWith('/') ? rest : `/${rest}` };
}

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/is;
