/** `error`: nothing works before somebody changes something. `warning`: it may fail. `info`: time alone cures it. */
export type Severity = 'error' | 'warning' | 'info';
export type ReasonGroup = 'dns' | 'ca' | 'origin' | 'whitelabel' | 'other';

/** A row of the catalogue of status reasons, in words for the one who reads it in a dashboard. */
export interface Reason {
  group: ReasonGroup;
  severity: Severity;
  /** Whether a later check or attempt may succeed though nobody changed anything. */
  retryable: boolean;
  title: string;
  /** What was seen and why it matters. */
  meaning: string;
  /**
   * What to do. `reasonDetail` fills in `{name}`, `{type}`, `{expected}`, `{found}` and `{wait}`, and leaves out
   * what stands in brackets where one of its facts is not known.
   */
  hint: string;
  /** `status_detail.expected` where the check has nothing more exact. */
  expected: string;
}
