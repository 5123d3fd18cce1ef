import type { CertificateReason } from '../core/certificates/certificate-reasons.ts';
import type { Mode } from '../core/domains/status.ts';
import type { AccountId, AppId, KeyId } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import type { CertificateAuthority } from '../ports/certificate-authority.ts';
import type { Clock } from '../ports/clock.ts';
import type { CnameLookup } from '../ports/cname-lookup.ts';
import type { Dns } from '../ports/dns.ts';
import type { EdgeProbe } from '../ports/edge-probe.ts';
import type { Log } from '../ports/log.ts';
import type { Mailer } from '../ports/mail.ts';
import type { Notice, Notices } from '../ports/notices.ts';
import type { OneClick } from '../ports/one-click.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { Ids, Random } from '../ports/random.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { IdempotencyClaim } from '../store/accounts/idempotency.ts';
import { insertRouteChanges, type RouteTopic } from '../store/domains/route-changes.ts';
import { inTransaction, type Store } from '../store/store.ts';

/** All that an operation can reach. The composition roots make it; nothing else builds adapters. */
export interface Context {
  settings: Settings;
  store: Store;
  clock: Clock;
  /** The `t` of signatures, and rates of real requests. */
  wall_clock: Clock;
  random: Random;
  ids: Ids;
  secrets: SecretBox;
  outbound: Outbound;
  cname_lookup: CnameLookup;
  /** Null where every domain runs on the test timer: nothing is ever looked up then. */
  dns: Dns | null;
  /** Null where the operator has given DNS providers no template of ours. */
  one_click: OneClick | null;
  /** Null where no mail server is set: connect pages offer no mail then. */
  mailer: Mailer | null;
  /** Null where every domain runs on the test timer: no certificate authority is asked then. */
  issuance: Issuance | null;
  notices: Notices;
  log: Log;
}

/** Who issues certificates, in the order in which they are asked, and how we see what our edge shows. */
export interface Issuance {
  authorities: readonly CertificateAuthority[];
  edge: EdgeProbe;
  /** Told of every attempt that came to its end. */
  on_outcome?: (outcome: IssuanceOutcome) => void;
}

export interface IssuanceOutcome {
  /** Null where none could be asked. */
  ca: string | null;
  outcome: 'issued' | CertificateReason;
}

/** Who calls: the key identifies the app and the mode (section 5). */
export interface Caller {
  app_id: AppId;
  account_id: AccountId;
  key_id: KeyId;
  mode: Mode;
  /** Set while a POST with an Idempotency-Key is under way; completed with the effect. */
  idempotency: IdempotencyClaim | null;
}

/** What an operation answers: the status and the body of the response. */
export interface Answer<T> {
  status: number;
  body: T;
}

/** One transaction; what it publishes is heard after the commit, and not at all if it fails. */
export async function transact<T>(context: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (context.store.in_transaction) return work(context);
  let published: Notice[] = [];
  const notices: Notices = { ...context.notices, publish: (notice) => published.push(notice) };
  const result = await inTransaction(context.store, async (store) => {
    published = []; // What a try that was undone had to say did not happen.
    const done = await work({ ...context, store, notices });
    await noteRouteChanges(context, store, published);
    return done;
  });
  for (const notice of published) context.notices.publish(notice);
  return result;
}

/** Where a hostname leads is told for good: edges remember it, and must not miss a change (`decisions/0015`). */
async function noteRouteChanges(
  { settings, clock }: Context,
  store: Store,
  published: readonly Notice[],
): Promise<void> {
  if (settings.single_process) return; // Nobody else remembers anything.
  const topics = new Map<string, RouteTopic>();
  for (const notice of published) {
    if (notice.kind === 'route') topics.set(notice.hostname, { hostname: notice.hostname, app_id: null });
    if (notice.kind === 'routes') topics.set(notice.app_id, { hostname: null, app_id: notice.app_id });
  }
  await insertRouteChanges(store, [...topics.values()], clock.now());
}
