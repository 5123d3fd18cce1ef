/**
 * Accepts only a target in origin-form (RFC 9112 section 3.2.1). With an absolute-form target, the origin could see a different host than
 * the one used for routing.
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
