import type { Generated } from 'kysely';
import type { Account } from '../core/accounts/account.ts';
import type { BillingAccount } from '../core/accounts/billing-state.ts';
import type { Member } from '../core/accounts/member.ts';
import type { Passkey } from '../core/accounts/passkey.ts';
import type { Session } from '../core/accounts/session.ts';
import type { App } from '../core/apps/app.ts';
import type { CertificateOrder } from '../core/certificates/certificate-order.ts';
import type { Domain } from '../core/domains/domain.ts';
import type { DomainMode, Mode } from '../core/domains/status.ts';
import type { AccountId, AppId, DomainId, LeaseId } from '../core/ids.ts';
import type { Delivery, StoredEvent } from '../core/webhooks/delivery.ts';
import type { AccountMail } from './accounts/accounts.ts';
import type { ApiKey } from './accounts/api-keys.ts';
import type { AuditEntry } from './accounts/audit-log.ts';
import type { TakenEvent } from './accounts/billing-accounts.ts';
import type { MailSubscription } from './accounts/mail-subscriptions.ts';
import type { OriginProbe } from './accounts/origin-probes.ts';
import type { SignInChallenge } from './accounts/sign-in-challenges.ts';
import type { SignInLink } from './accounts/sign-in-links.ts';
import type { WhitelabelEnding } from './accounts/whitelabel-endings.ts';
import type { AcmeAccount } from './certificates/acme-accounts.ts';
import type { PastCertificate } from './certificates/certificate-history.ts';
import type { StoredCertificate } from './certificates/certificates.ts';
import type { Challenge } from './certificates/challenges.ts';
import type { Revocation } from './certificates/revocations.ts';
import type { DnsCheck } from './domains/dns-checks.ts';
import type { DomainCounts } from './domains/domain-counts.ts';
import type { Hold } from './domains/holds.ts';
import type { Route } from './domains/routes.ts';
import type { DueAppRow } from './due-apps.ts';
import type { EdgeDrain } from './edge/edge-drains.ts';
import type { EdgeBeatRow, EdgeRelayRow, EdgeSourceRow, EdgeValueRow } from './edge/edge-rows.ts';
import type { TrafficRow, TrafficWriterRow } from './traffic/traffic-rows.ts';

/**
 * The tables, as both databases have them. The file that maps a table, such as `shared/store/domains/domains.ts`, explains its columns.
 */
export interface Tables {
  accounts: RowOf<Account>;
  apps: RowOf<App>;
  api_keys: ApiKey;
  domains: DomainRow;
  domain_metadata: DomainMetadataRow;
  domain_counts: DomainCounts & { account_id: AccountId };
  routes: Route & { hostname: string };
  edge_values: EdgeValueRow;
  edge_source: EdgeSourceRow;
  edge_relay: EdgeRelayRow;
  edge_beats: EdgeBeatRow;
  edge_drains: EdgeDrain;
  dns_checks: RowOf<DnsCheck> & { domain_id: DomainId };
  mail_subscriptions: MailSubscription;
  holds: Hold;
  events: StoredEvent & { xid: Generated<string> };
  deliveries: RowOf<Delivery>;
  lanes: LaneRow & LeaseEnd;
  jobs: JobRow & LeaseEnd;
  due_apps: DueAppRow;
  idempotency: IdempotencyRow;
  rate_windows: RateWindowRow;
  audit_log: RowOf<AuditEntry>;
  members: Member;
  sign_in_links: SignInLink;
  sessions: Session & { hash: string };
  passkeys: RowOf<Passkey>;
  sign_in_challenges: RowOf<SignInChallenge>;
  acme_accounts: AcmeAccount;
  certificates: CertificateRow;
  certificate_history: RowOf<PastCertificate> & { domain_id: DomainId };
  revocations: Revocation;
  certificate_orders: RowOf<CertificateOrder>;
  challenges: Challenge;
  ca_limits: CaLimitRow;
  billing_accounts: RowOf<BillingAccount>;
  billing_events: TakenEvent;
  account_mails: AccountMail;
  whitelabel_endings: WhitelabelEnding;
  origin_probes: OriginProbe & { app_id: AppId; slot: number };
  traffic: TrafficRow;
  traffic_writers: TrafficWriterRow;
}

export type Flag = 0 | 1;

/** The columns of an object, which are the same in both databases: flags are 0 or 1, JSON is text, and instants are in milliseconds. */
export type RowOf<T> = { [Name in keyof T]: Column<T[Name]> };
type Column<Value> = Value extends boolean
  ? Flag
  : Value extends string | number | null | undefined
    ? Value
    : string;

export interface DomainRow extends RowOf<Domain> {
  /** The reversed hostname. All names below a hostname then form a range of the index. */
  reversed_hostname: string;
}

/** The metadata by which lists of domains are filtered: one row for each top-level metadata key with a string value. */
export interface DomainMetadataRow {
  domain_id: DomainId;
  /** A digest of key and value. */
  entry: string;
  /** Copied from the domain, so that one index contains all domains with a metadata entry, in page order. */
  app_id: AppId;
  mode: DomainMode;
  created_at: number;
}

export interface CertificateRow extends Omit<RowOf<StoredCertificate>, 'window'> {
  window_start: number | null;
  window_end: number | null;
}

/** A limit of a certificate authority. It has no effect once its time has passed. */
interface CaLimitRow {
  name: string;
  passes_at: number;
}

/** The event queue of one domain. */
export interface LaneRow {
  domain_id: DomainId;
  app_id: AppId;
  due_at: number | null;
  lease_id: LeaseId | null;
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
  app_id: AppId;
  mode: Mode;
  key: string;
  fingerprint: string;
  lease_id: LeaseId | null;
  lease_until: number;
  /** The status code of the response. Null while the request runs. */
  status: number | null;
  /** Encrypted, with app, mode and key as associated data. */
  body: string | null;
  created_at: number;
}

/** Counts uses within a sliding window, such as redeliveries of an app. All nodes share the counts. */
interface RateWindowRow {
  name: string;
  /** The time of the latest use. */
  opened_at: number;
  used: number;
  /** The times of the uses, as JSON. */
  uses: string;
}
