import { REASONS, type ReasonCode, type ReasonFacts, reasonDetail } from '../../reasons.ts';
import type { Finding } from '../dns-finding.ts';

/**
 * A finding in the words of the catalogue. What was seen comes from other people's DNS: `reasonDetail` bounds and escapes it.
 * @param record what it is about, its name as a DNS panel has it; null where it is about the whole zone.
 */
export function makeFinding(code: ReasonCode, record: Finding['record'], facts: ReasonFacts = {}): Finding {
  const { severity, retryable } = REASONS[code];
  return { code, severity, retryable, record, ...reasonDetail(code, { ...record, ...facts }) };
}
