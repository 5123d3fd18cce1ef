import type { StatusDetail } from '../domains/domain.ts';
import type { Severity } from '../reason.ts';
import type { ReasonCode } from '../reasons.ts';

/** One thing that a check found. The most severe becomes `status_reason` and `status_detail` (section 2.2). */
export interface Finding extends StatusDetail {
  code: ReasonCode;
  severity: Severity;
  /** The record that it is about, as a DNS panel has it; null where it is about the whole zone. */
  record: { type: string; name: string } | null;
  /** Whether a later check may find better though nobody changed anything. */
  retryable: boolean;
}
