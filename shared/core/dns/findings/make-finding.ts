import { REASONS, type ReasonCode, type ReasonFacts, reasonDetail } from '../../reasons.ts';
import type { Finding } from '../dns-finding.ts';

/**
 * Creates a finding with the texts of its reason. `diagnose` adds the changes. `reasonDetail` shortens and escapes facts, because they come from untrusted DNS.
 * @param record the record at fault, named as in a DNS panel; null if the whole zone is at fault.
 */
export function makeFinding(code: ReasonCode, record: Finding['record'], facts: ReasonFacts = {}): Finding {
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record, ...reasonDetail(code, { ...record, ...facts }), changes: [] };
}
