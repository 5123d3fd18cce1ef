import type { Finding } from './dns-finding.ts';

/**
 * What findings mean together: false where somebody has to change something, null where time alone decides or nothing could be
 * told, and true where nothing was found, or only what need not stop anything.
 */
export function healthOf(findings: readonly Pick<Finding, 'severity' | 'retryable'>[]): boolean | null {
  if (findings.some(({ severity }) => severity === 'error')) return false;
  return findings.some(({ retryable }) => retryable) ? null : true;
}
