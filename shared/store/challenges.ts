import type { ChallengeMethod } from '../core/acme-challenge.ts';
import type { DomainId } from '../core/ids.ts';
import type { Store } from './store.ts';

/** What every edge answers to a certificate authority until the order has come to its end. */
export interface Challenge {
  hostname: string;
  token: string;
  domain_id: DomainId;
  method: ChallengeMethod;
  key_authorization: string;
}

export async function saveChallenge(store: Store, challenge: Challenge): Promise<void> {
  const { hostname, token, ...rest } = challenge;
  await store.db
    .insertInto('challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.columns(['hostname', 'token']).doUpdateSet(rest))
    .execute();
}

/** @param token with HTTP-01; the handshake of TLS-ALPN-01 names the hostname alone. */
export async function findKeyAuthorization(
  store: Store,
  asked: { hostname: string; method: ChallengeMethod; token?: string },
): Promise<string | null> {
  let query = store.db
    .selectFrom('challenges')
    .select('key_authorization')
    .where('hostname', '=', asked.hostname)
    .where('method', '=', asked.method);
  if (asked.token !== undefined) query = query.where('token', '=', asked.token);
  const row = await query.limit(1).executeTakeFirst();
  return row?.key_authorization ?? null;
}

export async function deleteChallenges(store: Store, domain_id: DomainId): Promise<void> {
  await store.db.deleteFrom('challenges').where('domain_id', '=', domain_id).execute();
}
