import { sql } from 'kysely';
import type { ChallengeMethod } from '../../core/certificates/acme-challenge.ts';
import type { DomainId } from '../../core/ids.ts';
import type { Store, Tx } from '../store.ts';

/** A challenge response that every edge serves to the certificate authority until the order ends. */
export interface Challenge {
  hostname: string;
  token: string;
  domain_id: DomainId;
  method: ChallengeMethod;
  key_authorization: string;
}

export async function saveChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  const { hostname, token, ...rest } = challenge;
  await tx.db
    .insertInto('challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.columns(['hostname', 'token']).doUpdateSet(rest))
    .execute();
}

/**
 * Returns the key authorization of an open challenge, or null.
 * @param asked.domain_id the domain that has the hostname now. The challenges of a domain that had the hostname before are never served.
 * @param asked.token the token in the path of an HTTP-01 request. Not set for TLS-ALPN-01, where the handshake contains only the hostname.
 */
export async function findKeyAuthorization(
  store: Store,
  asked: Pick<Challenge, 'hostname' | 'domain_id' | 'method'> & { token?: string },
): Promise<string | null> {
  let query = store.db
    .selectFrom('challenges')
    .select('key_authorization')
    .where('hostname', '=', asked.hostname)
    .where('domain_id', '=', asked.domain_id)
    .where('method', '=', asked.method);
  if (asked.token !== undefined) query = query.where('token', '=', asked.token);
  const row = await query.limit(1).executeTakeFirst();
  return row?.key_authorization ?? null;
}

/** Returns the key authorizations of all HTTP challenges that a domain has open for a hostname, by token. Null if there are none. */
export async function findHttpChallenges(
  store: Store,
  { hostname, domain_id }: Pick<Challenge, 'hostname' | 'domain_id'>,
): Promise<ReadonlyMap<string, string> | null> {
  const rows = await store.db
    .selectFrom('challenges')
    .select(['token', 'key_authorization'])
    .where('hostname', '=', hostname)
    .where('domain_id', '=', domain_id)
    .where('method', '=', 'http-01')
    .execute();
  return rows.length === 0
    ? null
    : new Map(rows.map(({ token, key_authorization }) => [token, key_authorization]));
}

/** Returns the key authorizations of all HTTP challenges that the domains of an app have open, by token. Null if there are none. */
export async function findHttpChallengesOfApp(
  store: Store,
  targetLabel: string,
): Promise<ReadonlyMap<string, string> | null> {
  // Few challenges are open, but an app can have a million domains. So this looks up the domain of each challenge, whatever plan the
  // statistics suggest.
  const { rows } = await sql<Pick<Challenge, 'token' | 'key_authorization'>>`
    select token, key_authorization from challenges where method = 'http-01' and ${TARGET_LABEL} = ${targetLabel}`.execute(
    store.db,
  );
  return rows.length === 0
    ? null
    : new Map(rows.map(({ token, key_authorization }) => [token, key_authorization]));
}

/** An open challenge, with the label of its app's CNAME target. `is_held` is true if the challenge's domain has the hostname now. */
export interface ListedChallenge extends Omit<Challenge, 'domain_id'> {
  target_label: string;
  is_held: boolean;
}

/** Lists open challenges of all domains, up to a limit, in no particular order. */
export async function listChallenges(store: Store, limit: number): Promise<ListedChallenge[]> {
  const { rows } = await sql<Omit<ListedChallenge, 'is_held'> & { is_held: boolean | number }>`
    select hostname, token, method, key_authorization, ${TARGET_LABEL} as target_label, domain_id = ${HOLDER} as is_held
    from challenges limit ${limit}`.execute(store.db);
  return rows.map((row) => ({ ...row, is_held: Boolean(row.is_held) }));
}

/** The app's label for a row of `challenges`. A subquery looks up one row by its key. With a join, the planner could read every domain. */
const TARGET_LABEL = sql`(select apps.target_label from apps
  where apps.id = (select domains.app_id from domains where domains.id = challenges.domain_id))`;

/** The domain that a challenge's hostname is routed to. For the `www.` name of an apex, that may be the apex's domain. */
const HOLDER = sql`coalesce(
  (select routes.domain_id from routes where routes.hostname = challenges.hostname),
  (select routes.domain_id from routes
    where challenges.hostname like 'www.%' and routes.hostname = substr(challenges.hostname, 5)))`;

/** Lists the open DNS-01 challenges of all domains, up to a limit, in no particular order. */
export async function listDnsChallenges(
  store: Store,
  limit: number,
): Promise<Pick<Challenge, 'domain_id' | 'key_authorization'>[]> {
  const rows = await store.db
    .selectFrom('challenges')
    .select(['domain_id', 'key_authorization'])
    .where('method', '=', 'dns-01')
    .limit(limit)
    .execute();
  return rows as Pick<Challenge, 'domain_id' | 'key_authorization'>[];
}

export async function deleteChallenges(tx: Tx, domainId: DomainId): Promise<void> {
  await tx.db.deleteFrom('challenges').where('domain_id', '=', domainId).execute();
}
