import type { Generated } from 'kysely';
import type { PlanName } from '../core/accounts/plan.ts';
import type { DnsProgress } from '../core/dns/dns-progress.ts';
import type { ApexRedirect, DomainMode, Mode, Status } from '../core/domains/status.ts';
import type {
  AccountMailRow,
  BillingAccountRow,
  BillingEventRow,
  WhitelabelEndingRow,
} from './accounts/billing-rows.ts';
import type { MemberRow, SessionRow, SignInLinkRow } from './accounts/member-rows.ts';
import type { PasskeyRow, SignInChallengeRow } from './accounts/passkey-rows.ts';
import type {
  AcmeAccountRow,
  CaLimitRow,
  CertificateHistoryRow,
  CertificateOrderRow,
  CertificateRow,
  ChallengeRow,
  RevocationRow,
} from './certificates/certificate-rows.ts';
import type { DueAppRow } from './due-apps.ts';
import type { EdgeSourceRow, EdgeValueRow } from './edge/edge-rows.ts';
import type { DeliveryRow, EventRow, LaneRow } from './events/event-rows.ts';
import type { TrafficRow, TrafficWriterRow } from './traffic/traffic-rows.ts';

/**
 * The tables, as both databases have them. Instants are milliseconds in `bigint`, flags are 0 or 1, and JSON is text, so a row is the same
 * in both. The file that maps a table, such as `shared/store/domains/domains.ts`, explains its columns.
 */
export interface Tables {
  accounts: AccountRow;
  apps: AppRow;
  api_keys: ApiKeyRow;
  domains: DomainRow;
  domain_metadata: DomainMetadataRow;
  domain_counts: DomainCountsRow;
  routes: RouteRow;
  edge_values: EdgeValueRow;
  edge_source: EdgeSourceRow;
  dns_checks: DnsCheckRow;
  mail_subscriptions: MailSubscriptionRow;
  holds: HoldRow;
  events: EventRow & { xid: Generated<string> };
  deliveries: DeliveryRow;
  lanes: LaneRow & LeaseEnd;
  jobs: JobRow & LeaseEnd;
  due_apps: DueAppRow;
  idempotency: IdempotencyRow;
  rate_windows: RateWindowRow;
  audit_log: AuditRow;
  members: MemberRow;
  sign_in_links: SignInLinkRow;
  sessions: SessionRow;
  passkeys: PasskeyRow;
  sign_in_challenges: SignInChallengeRow;
  acme_accounts: AcmeAccountRow;
  certificates: CertificateRow;
  certificate_history: CertificateHistoryRow;
  revocations: RevocationRow;
  certificate_orders: CertificateOrderRow;
  challenges: ChallengeRow;
  ca_limits: CaLimitRow;
  billing_accounts: BillingAccountRow;
  billing_events: BillingEventRow;
  account_mails: AccountMailRow;
  whitelabel_endings: WhitelabelEndingRow;
  origin_probes: OriginProbeRow;
  traffic: TrafficRow;
  traffic_writers: TrafficWriterRow;
}

export type Flag = 0 | 1;

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  trial_ends_at: number | null;
  promotional: Flag;
  card_on_file: Flag;
  suspended: Flag;
  created_at: number;
}

export interface AppRow {
  id: string;
  account_id: string;
  name: string;
  origin_url: string | null;
  origin_reachable: Flag;
  origin_latency_ms: number | null;
  origin_checked_at: number | null;
  origin_status_reason: string | null;
  origin_failures: number;
  webhook_url: string | null;
  webhook_epoch: number;
  whitelabel_host: string | null;
  whitelabel_verified: Flag;
  whitelabel_found: string | null;
  whitelabel_set_at: number | null;
  whitelabel_checked_at: number | null;
  whitelabel_grace_ends_at: number | null;
  /** The first label of the app's CNAME target. */
  target_label: string;
  apex_redirect_default: ApexRedirect;
  allow_proxied: Flag;
  /** Encrypted, with the app's id as associated data. */
  signing_secret: string;
  previous_signing_secret: string | null;
  previous_valid_until: number | null;
  created_at: number;
  brand_color: string | null;
  brand_logo: string | null;
  support_url: string | null;
  return_url: string | null;
}

export interface ApiKeyRow {
  id: string;
  app_id: string;
  name: string;
  mode: Mode;
  prefix: string;
  last4: string;
  /** SHA-256 of the key in hex. The key itself is never stored. */
  hash: string;
  created_at: number;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface DomainRow {
  id: string;
  app_id: string;
  mode: DomainMode;
  hostname: string;
  /** The reversed hostname. All names below a hostname then form a range of the index. */
  reversed_hostname: string;
  is_apex: Flag;
  status: Status;
  status_since: number;
  status_before_hold: Status | null;
  reason_before_hold: string | null;
  status_reason: string | null;
  status_detail: string | null;
  origin: string | null;
  apex_redirect: ApexRedirect;
  connect_token: string;
  txt_value: string;
  retired_at: number | null;
  routed_through: string | null;
  certificate: string | null;
  metadata: string | null;
  origin_headers: string | null;
  created_at: number;
  updated_at: number;
  window_opened_at: number;
  last_checked_at: number | null;
  next_check_at: number | null;
  event_seq: number;
  last_event_at: number | null;
}

/** The metadata by which lists of domains are filtered: one row for each top-level metadata key with a string value. */
export interface DomainMetadataRow {
  domain_id: string;
  /** A digest of key and value. */
  entry: string;
  /** Copied from the domain, so that one index contains all domains with a metadata entry, in page order. */
  app_id: string;
  mode: DomainMode;
  created_at: number;
}

/**
 * The number of live domains of an account: `used` excludes expired and deleted domains, `added` includes every live domain that was ever
 * added.
 */
export interface DomainCountsRow {
  account_id: string;
  used: number;
  added: number;
  /** The number of test domains that are not deleted. */
  tests: number;
}

/** The route of a hostname: the domain that has the hostname now. A hostname has at most one route. */
export interface RouteRow {
  hostname: string;
  domain_id: string;
  /** The previous domain, whose route the edge serves until `domain_id` has a certificate; null after that. */
  served_id: string | null;
}

export interface DnsCheckRow {
  domain_id: string;
  checked_at: number;
  missed_at: number | null;
  name_servers: string;
  one_click: string | null;
  findings: string;
  progress: DnsProgress;
  path: string | null;
}

export interface MailSubscriptionRow {
  id: string;
  domain_id: string;
  app_id: string;
  address: string;
  token: string;
  created_at: number;
  confirmed_at: number | null;
  language: string;
  told: string | null;
  broken_at: number | null;
}

export interface HoldRow {
  /** An exact name, or `*.name` for all names below `name`. */
  hostname: string;
  reason: string | null;
  created_at: number;
}

/** A unit of scheduled work, such as a DNS check of a domain. */
export interface JobRow {
  kind: string;
  subject_id: string;
  app_id: string | null;
  due_at: number;
  lease_id: string | null;
  attempts: number;
}

/** When the lease of a row ends; 0 without a lease. No index contains this column, so a claim changes no index. */
interface LeaseEnd {
  leased_until: Generated<number>;
}

export interface IdempotencyRow {
  app_id: string;
  mode: Mode;
  key: string;
  fingerprint: string;
  lease_id: string | null;
  lease_until: number;
  /** The status code of the response. Null while the request runs. */
  status: number | null;
  /** Encrypted, with app, mode and key as associated data. */
  body: string | null;
  created_at: number;
}

/** Counts uses within a sliding window, such as redeliveries of an app. All nodes share the counts. */
export interface RateWindowRow {
  name: string;
  /** The time of the latest use. */
  opened_at: number;
  used: number;
  /** The times of the uses, as JSON. */
  uses: string;
}

/** An action of an operator. Rows are never changed or deleted. */
export interface AuditRow {
  id: string;
  at: number;
  /** The operator's name, from the environment. */
  actor: string;
  /** The action, such as `account.update` or `hold.create`. */
  action: string;
  /** The id or name of the affected object. */
  subject: string;
  detail: string | null;
}

export interface OriginProbeRow {
  app_id: string;
  slot: number;
  at: number;
  status_code: number | null;
  latency_ms: number | null;
  reason: string | null;
}
