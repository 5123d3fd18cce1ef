import { sql } from 'kysely';
import type { ChallengeMethod } from '../../core/certificates/acme-challenge.ts';
import type { DomainId } from '../../core/ids.ts';
import { isOneOf, rowList } from '../row-list.ts';
import type { Store, Tx } from '../store.ts';

/**
 * A challenge response that every edge serves to the certificate authority until the order ends. Two domains with the same hostname can have
 * a challenge with the same token, because an authority may return an open order of our account again.
 */
export interface Challenge {
  hostname: string;
  token: string;
  domain_id: DomainId;
  method: ChallengeMethod;
  key_authorization: string;
}

export async function saveChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  const { hostname, token, domain_id, ...rest } = challenge;
  await tx.db
    .insertInto('challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.columns(['hostname', 'token', 'domain_id']).doUpdateSet(rest))
    .execute();
}

/** A challenge as edges need it. */
export interface EdgeChallenge {
  at: Pick<Challenge, 'hostname' | 'token' | 'domain_id'>;
  /** Null if the challenge is not open. */
  method: ChallengeMethod | null;
  key_authorization: string | null;
  /** The label of the app's CNAME target. */
  target_label: string;
  /** Whether the challenge's domain has the hostname now. */
  is_held: boolean;
}

/** Finds these challenges, open or not, and the open challenges at these hostnames and their `www.` names. */
export async function findEdgeChallenges(
  store: Store,
  challenges: readonly EdgeChallenge['at'][],
  hostnames: readonly string[],
): Promise<EdgeChallenge[]> {
  const names = hostnames.flatMap((name) => [name, `www.${name}`]);
  const given = rowList(
    store,
    { hostname: 'text', token: 'text', domain_id: 'text' },
    challenges.map(({ hostname, token, domain_id }) => ({ hostname, token, domain_id })),
  );
  const { rows } = await sql<
    EdgeChallenge['at'] & Omit<EdgeChallenge, 'at' | 'is_held'> & { is_held: boolean | number }
  >`
    select challenges.hostname, challenges.token, challenges.domain_id, method, key_authorization,
      ${TARGET_LABEL} as target_label, domain_id = ${HOLDER} as is_held
    from (select hostname, token, domain_id, method, key_authorization from challenges where ${isOneOf(store, 'challenges.hostname', names)}
      union
      select given.hostname, given.token, given.domain_id, open.method, open.key_authorization from ${given}
      left join challenges open
        on open.hostname = given.hostname and open.token = given.token and open.domain_id = given.domain_id) challenges`.execute(
    store.db,
  );
  return rows.map(({ hostname, token, domain_id, is_held, ...rest }) => ({
    at: { hostname, token, domain_id },
    ...rest,
    is_held: Boolean(is_held),
  }));
}

/** The app's label for a row of `challenges`. A subquery looks up one row by its key. With a join, the planner could read every domain. */
const TARGET_LABEL = sql`(select apps.target_label from apps
  where apps.id = (select domains.app_id from domains where domains.id = challenges.domain_id))`;

/** The domain that a challenge's hostname is routed to. For the `www.` name of an apex, that may be the apex's domain. */
const HOLDER = sql`coalesce(
  (select routes.domain_id from routes where routes.hostname = challenges.hostname),
  (select routes.domain_id from routes
    where challenges.hostname like 'www.%' and routes.hostname = substr(challenges.hostname, 5)))`;

/** Finds the open DNS-01 challenges of these domains. The order is not defined. */
export async function findDnsChallenges(
  store: Store,
  domains: readonly DomainId[],
): Promise<Pick<Challenge, 'domain_id' | 'key_authorization'>[]> {
  return store.db
    .selectFrom('challenges')
    .select(['domain_id', 'key_authorization'])
    .where(isOneOf(store, 'domain_id', domains))
    .where('method', '=', 'dns-01')
    .execute();
}

/** Deletes the challenges of a domain. @returns the deleted challenges. */
export async function deleteChallenges(tx: Tx, domainId: DomainId): Promise<EdgeChallenge['at'][]> {
  return tx.db
    .deleteFrom('challenges')
    .where('domain_id', '=', domainId)
    .returning(['hostname', 'token', 'domain_id'])
    .execute();
}
