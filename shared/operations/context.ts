import type { CertificateReason } from '../core/certificates/certificate-reasons.ts';
import type { Mode } from '../core/domains/status.ts';
import type { AccountId, AppId, KeyId } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import type { Billing, Mailer } from '../ports/accounts.ts';
import type { CertificateAuthority } from '../ports/certificates.ts';
import type { CnameLookup, Dns, OneClick } from '../ports/dns.ts';
import type { EdgeProbe, Outbound, PathProbe } from '../ports/outbound.ts';
import type { Clock, Ids, Log, Notice, Notices, Random, SecretBox } from '../ports/system.ts';
import type { IdempotencyClaim } from '../store/accounts/idempotency.ts';
import { inTransaction, isTransaction, type Store, type Tx } from '../store/store.ts';
import { type EdgePublishing, publishEdgeValues, subjectsOf } from './edge/publish-edge-values.ts';

/** The adapters and settings that operations use. Only the composition roots create a `Context` and its adapters. */
export interface Context {
  settings: Settings;
  store: Store;
  clock: Clock;
  /** The real time, for the `t` of signatures and for rate limits of real requests. */
  wallClock: Clock;
  random: Random;
  ids: Ids;
  secrets: SecretBox;
  outbound: Outbound;
  cnameLookup: CnameLookup;
  /** Null if every domain runs on the test timer, which makes no DNS lookups. */
  dns: Dns | null;
  /** Follows requests to a hostname through the customer's proxy. Null if `dns` is null. */
  pathProbe: PathProbe | null;
  /** Null if the operator has not registered our template with DNS providers. */
  oneClick: OneClick | null;
  /** Null if no mail server is configured. Connect pages then offer no mail. */
  mailer: Mailer | null;
  /** Null if the operator manages plans and cards by hand. */
  billing: Billing | null;
  /** Null if every domain runs on the test timer, which never contacts a certificate authority. */
  issuance: Issuance | null;
  notices: Notices;
  /** Null in the emulator, whose edge reads the same store (`decisions/0101`). */
  edges: EdgePublishing | null;
  log: Log;
  guard?: TransactionGuard;
  /** Set in the emulator, whose edge counts requests in this process. `write` stores the counts so far. */
  traffic?: { write(): Promise<void> };
}

/** A `Context` whose store is a transaction and can write. */
export interface TxContext extends Context {
  store: Tx;
}

/** Functions that run in the transactions of one request. For example, the dashboard writes audit entries with them. */
export interface TransactionGuard {
  /** Called at the start of every transaction, with the transaction's context. If it throws, nothing is written. */
  begin(tx: TxContext): Promise<void>;
  /** Called in the transaction of an operation that found nothing to change. */
  unchanged(tx: TxContext): Promise<void>;
}

/** The certificate authorities, in the order in which orders try them, and a probe that reads the certificate that our edge serves. */
export interface Issuance {
  authorities: readonly CertificateAuthority[];
  edge: EdgeProbe;
  /** Sends plain HTTP requests, as an authority does, to the current host of a hostname that has not moved to us yet. */
  oldHosts: Pick<Outbound, 'send'>;
  /** Called once each issuance attempt has ended. */
  onOutcome?: (outcome: IssuanceOutcome) => void;
}

export interface IssuanceOutcome {
  /** The authority of the attempt. Null if the attempt ended before any authority was contacted. */
  ca: string | null;
  outcome: 'issued' | CertificateReason;
}

/** The authenticated caller of the API. The API key determines the app and the mode (`docs/api.md#authentication`). */
export interface Caller {
  app_id: AppId;
  account_id: AccountId;
  key_id: KeyId;
  mode: Mode;
  /** Set while a POST with an Idempotency-Key runs. `effect` stores the response in the transaction of the change. */
  idempotency: IdempotencyClaim | null;
}

/** The response of an operation: status and body. */
export interface Answer<T> {
  status: number;
  body: T;
}

/** Runs `work` in one transaction. Notices that `work` publishes are sent after the commit, and dropped if the transaction fails. */
export async function transact<T>(context: Context, work: (tx: TxContext) => Promise<T>): Promise<T> {
  if (isTransaction(context.store)) return work({ ...context, store: context.store });
  let published: Notice[] = [];
  const notices: Notices = { ...context.notices, publish: (notice) => published.push(notice) };
  const result = await inTransaction(context.store, async (store) => {
    published = []; // A retried transaction drops the notices of the attempt that failed.
    const tx = { ...context, store, notices };
    await context.guard?.begin(tx);
    const done = await work(tx);
    if (context.edges !== null) await publishEdgeValues(tx, context.edges, subjectsOf(published));
    return done;
  });
  for (const notice of published) context.notices.publish(notice);
  return result;
}
