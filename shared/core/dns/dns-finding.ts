import type { StatusDetail } from '../domains/domain.ts';
import { REASONS, type ReasonCode, type ReasonFacts, reasonDetail, type Severity } from '../reasons.ts';
import type { RecordChange } from './changes/record-change.ts';

/** One problem that a check found. The most severe problem becomes `status_reason` and `status_detail` (`docs/api.md#domain`). */
export interface Finding extends StatusDetail {
  code: ReasonCode;
  severity: Severity;
  /** The record at fault, named as in a DNS panel; null if the whole zone is at fault. */
  record: { type: string; name: string } | null;
  /** Whether a later check may succeed without any change by the customer. */
  retryable: boolean;
  /** The fewest changes to records that fix the problem. Empty if time alone fixes it, or if the customer cannot fix it in the zone. */
  changes: readonly RecordChange[];
}

/** Returns a finding as the `status_detail` of a domain. */
export function detailOf({ expected, found, hint, changes }: Finding): StatusDetail {
  return { expected, found, hint, ...(changes.length > 0 && { changes }) };
}

/**
 * Creates a finding with the texts of its reason. `diagnose` adds the changes. `reasonDetail` shortens and escapes facts, because they come from untrusted DNS.
 * @param record the record at fault, named as in a DNS panel; null if the whole zone is at fault.
 */
export function makeFinding(code: ReasonCode, record: Finding['record'], facts: ReasonFacts = {}): Finding {
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record, ...reasonDetail(code, { ...record, ...facts }), changes: [] };
}

/**
 * Summarizes the health of a domain's DNS. Returns true if no finding needs an action, false if someone has to change something, and null
 * if waiting may be enough or no lookup succeeded.
 */
export function healthOf(findings: readonly Pick<Finding, 'severity' | 'retryable'>[]): boolean | null {
  if (findings.some(({ severity }) => severity === 'error')) return false;
  return findings.some(({ retryable }) => retryable) ? null : true;
}
