import type { Finding } from '../../core/dns/dns-finding.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { compareReasons, isReasonCode, REASONS } from '../../core/reasons.ts';

type Explained = Pick<Domain, 'status_reason' | 'status_detail'>;

/** Returns the findings of a check. If the status has a reason of its own, from a CA or forced by a test hostname, that comes first. */
export function findingsOf(domain: Explained, found: readonly Finding[]): readonly Finding[] {
  const own = ownFinding(domain);
  return own === null || found.some(({ code }) => code === own.code) ? found : [own, ...found];
}

/** Returns fresh findings, and adds the status's own reason if no lookup can disprove it, such as a hold or a refusal by the CA. */
export function withStandingReason(domain: Explained, found: readonly Finding[]): readonly Finding[] {
  const own = ownFinding(domain);
  if (own === null || isLookedUp(own) || isOver(own, found)) return found;
  return [own, ...found].toSorted((a, b) => compareReasons(a.code, b.code));
}

function isLookedUp({ code }: Finding): boolean {
  return REASONS[code].group === 'dns' || code === 'caa_forbids' || code === 'caa_lookup_failed';
}

/** Returns whether a probe of the public path has disproved the reason. */
function isOver({ code }: Finding, found: readonly Finding[]): boolean {
  return code === 'proxy_https_failed' && found.some((each) => each.code === 'proxy_leads_here');
}

/** Returns the domain's status reason as a finding. Null if it has none, or one that this version does not know. */
function ownFinding({ status_reason: code, status_detail: detail }: Explained): Finding | null {
  if (code === null || detail === null || !isReasonCode(code)) return null;
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record: null, ...detail, changes: detail.changes ?? [] };
}
