import type { Certificate } from '../certificates/certificate.ts';
import type { RecordChange } from '../dns/changes/record-change.ts';
import type { AppId, DomainId } from '../ids.ts';
import type { Instant } from '../instant.ts';
import type { ApexRedirect, DomainMode, Status } from './status.ts';

/** The `status_detail` of `docs/api.md#domain`. */
export interface StatusDetail {
  expected: string;
  found: string | null;
  hint: string;
  /** The changes to records that fix the fault; absent if no change to records can fix it. */
  changes?: readonly RecordChange[] | undefined;
}

/** A domain as it is stored: the fields of `docs/api.md#domain`, and the fields that the state machine needs. */
export interface Domain {
  id: DomainId;
  app_id: AppId;
  mode: DomainMode;
  hostname: string;
  is_apex: boolean;
  status: Status;
  status_since: Instant;
  /** The status before the hold, while the domain is `held`. */
  status_before_hold: Status | null;
  /** The `status_reason` before the hold, which is restored on release. */
  reason_before_hold: string | null;
  status_reason: string | null;
  status_detail: StatusDetail | null;
  origin: string | null;
  apex_redirect: ApexRedirect;
  /** 128 random bits, which the connect page's URL contains instead of the domain's id. */
  connect_token: string;
  /** The name through which the confirmed record points to us: the app's CNAME target, or its white-label host. */
  routed_through: string | null;
  /** The value that the TXT record at the `_service` label must contain. */
  txt_value: string;
  /**
   * When another domain last went live at the hostname; null if none did. At that time, this domain got a new TXT value, and delegated
   * challenges stopped proving its ownership (`shared/decisions/0066`). If the other domain was live only before this domain was added,
   * this is `created_at`, and the TXT value did not change.
   */
  retired_at: Instant | null;
  certificate: Certificate | null;
  metadata: Record<string, unknown> | null;
  origin_headers: Record<string, string> | null;
  created_at: Instant;
  updated_at: Instant;
  /** Start of the 72 hours within which the record must appear. A hold moves this time forward. */
  window_opened_at: Instant;
  last_checked_at: Instant | null;
  next_check_at: Instant | null;
  /** Number of the domain's events so far. `last_event_at` is the time of the newest event; the next event must be later. */
  event_seq: number;
  last_event_at: Instant | null;
}
