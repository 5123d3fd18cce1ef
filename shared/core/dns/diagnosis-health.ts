import type { Finding } from './dns-finding.ts';

/**
 * Summarizes findings. Returns false if someone has to change something, and null if waiting may fix it or nothing could be looked
 * up. Returns true if there are no findings, or only findings that need no action.
 */
export function healthOf(findings: readonly Pick<Finding, 'severity' | 'retryable'>[]): boolean | null {
  if (findings.some(({ severity }) => severity === 'error')) return false;
  return findings.some(({ retryable }) => retryable) ? null : true;
}
