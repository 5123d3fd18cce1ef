import type { Finding } from './dns-finding.ts';

/**
 * Summarizes findings. Returns true if there are no findings, or only findings that need no action. Returns false if someone has to change
 * something. Returns null if waiting may be enough, or if no lookup succeeded.
 */
export function healthOf(findings: readonly Pick<Finding, 'severity' | 'retryable'>[]): boolean | null {
  if (findings.some(({ severity }) => severity === 'error')) return false;
  return findings.some(({ retryable }) => retryable) ? null : true;
}
