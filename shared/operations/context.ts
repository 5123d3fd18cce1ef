import type { AccountId, AppId, KeyId } from '../core/ids.ts';
import type { Settings } from '../core/settings.ts';
import type { Mode } from '../core/status.ts';
import type { Clock } from '../ports/clock.ts';
import type { CnameLookup } from '../ports/cname-lookup.ts';
import type { Log } from '../ports/log.ts';
import type { Notice, Notices } from '../ports/notices.ts';
import type { Outbound } from '../ports/outbound.ts';
import type { Ids, Random } from '../ports/random.ts';
import type { SecretBox } from '../ports/secret-box.ts';
import type { IdempotencyClaim } from '../store/idempotency.ts';
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
  notices: Notices;
  log: Log;
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
  const result = await inTransaction(context.store, (store) => {
    published = []; // What a try that was undone had to say did not happen.
    return work({ ...context, store, notices });
  });
  for (const notice of published) context.notices.publish(notice);
  return result;
}
