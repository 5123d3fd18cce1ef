/**
 * How serious a reason is. `error`: the domain does not work until someone changes something. `warning`: it may fail. `info`: no one has to
 * change anything.
 */
export type Severity = 'error' | 'warning' | 'info';
export type ReasonGroup = 'dns' | 'ca' | 'origin' | 'whitelabel' | 'other';

/** A row of the catalog of status reasons, with texts for the person who reads them in a dashboard. */
export interface Reason {
  group: ReasonGroup;
  severity: Severity;
  /** Whether a later check or attempt may succeed even if nothing is changed. */
  retryable: boolean;
  title: string;
  /** Says what was found, and why it matters. */
  meaning: string;
  /**
   * Says what to do. `reasonDetail` fills in `{name}`, `{type}`, `{expected}`, `{found}` and `{wait}`. It leaves out a part in brackets if
   * a fact in it is not known.
   */
  hint: string;
  /** Default for `status_detail.expected`, used if the check has no more specific value. */
  expected: string;
}
