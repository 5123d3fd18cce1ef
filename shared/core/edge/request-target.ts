/**
 * Accepts only a target in origin-form (RFC 9112 section 3.2.1), or what `splitTarget` makes of the absolute-form.
 * @returns the name of the refusal, or null.
 */
export function refusedTarget(method: string, target: string): RefusedTarget | null {
  if (method === 'CONNECT') return 'connect';
  if (!target.startsWith('/')) return 'no_path';
  // Visible ASCII only, so that every side signs the same bytes. A fragment is never sent (RFC 9110 section 7.1).
  if (!/^[\x21\x22\x24-\x7e]+$/.test(target)) return 'target_characters';
  return null;
}

type RefusedTarget = 'connect' | 'no_path' | 'target_characters';

/**
 * Splits a target in absolute-form (RFC 9112 section 3.2.2). Its authority replaces the Host header, so the origin gets the host that was used
 * for routing.
 * @returns the authority, or null if the target has another form, and the target in origin-form.
 */
export function splitTarget(target: string): { authority: string | null; pathAndQuery: string } {
  const [, authority, rest = ''] = ABSOLUTE.exec(target) ?? [];
  if (authority === undefined) return { authority: null, pathAndQuery: target };
  return { authority, pathAndQuery: rest.startsWith('/') ? rest : `/${rest}` };
}

const ABSOLUTE = /^https?:\/\/([^/?#]+)(.*)$/is;
