import type { Status } from '../domains/status.ts';
import type { TriggerName } from '../domains/transitions.ts';
import type { Finding } from './dns-finding.ts';

/**
 * How far a domain's DNS has come, according to its checks. `untouched`: every check found the same faults as the first check. `changed`: a
 * check found other faults. `seen`: at least one resolver has returned the right record.
 */
export type DnsProgress = 'untouched' | 'changed' | 'seen';

interface Check {
  progress: DnsProgress;
  findings: readonly Finding[];
}

/**
 * Returns the progress after another check.
 * @param before the previous check; null for the first check.
 * @param outcome the domain's status at the check, and the trigger that the check fires, or null.
 */
export function dnsProgress(
  before: Check | null,
  findings: readonly Finding[],
  outcome: { status: Status; trigger: TriggerName | null },
): DnsProgress {
  const isSeen = outcome.status !== 'pending_dns' || SEEN_TRIGGERS.includes(outcome.trigger);
  if (isSeen || before?.progress === 'seen') return 'seen';
  if (before === null) return 'untouched';
  if (before.progress !== 'untouched' || !isTold(findings) || !isTold(before.findings))
    return before.progress;
  return sameFaults(before.findings, findings) ? 'untouched' : 'changed';
}

const SEEN_TRIGGERS: readonly (TriggerName | null)[] = ['dns_seen', 'dns_confirmed'];

/** Returns false if the check got no response from DNS. Such a check does not show that anything changed. */
function isTold(findings: readonly Finding[]): boolean {
  return findings.every(({ code }) => code !== 'dns_resolver_unavailable');
}

function sameFaults(before: readonly Finding[], after: readonly Finding[]): boolean {
  const [one, other] = [before, after].map((findings) =>
    findings.filter(({ severity }) => severity === 'error').map(identityOf),
  );
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Identifies a finding by its code and its value, unless the value is an address. A host may return different addresses at each lookup,
 * although the customer has changed nothing.
 */
function identityOf({ code, found }: Finding): string {
  return `${code} ${found === null || ADDRESS.test(found) ? '' : found}`;
}

const ADDRESS = /^(?:\d{1,3}\.){3}\d|^[\da-f]*:/i;
