import { Lookups } from '../shared/edge/lookups.ts';
import type { RouteTable } from '../shared/edge/route-table.ts';
import { challengeSource, findHolder } from '../shared/operations/certificates/served-certificates.ts';
import type { Context } from '../shared/operations/context.ts';
import type { ChallengeSource } from '../shared/ports/challenge-source.ts';
import { findHttpChallenges } from '../shared/store/challenges.ts';

/** A certificate authority that looks too early comes again: we look ourselves before it is told. */
const ABSENT_MS = 1_000;
const RUNNING_MAX = 64;

/**
 * What an edge answers to certificate authorities, and to whoever takes after them. None of these asks about a name that no domain has: then there is
 * nothing to look up. Tokens are anybody's to make up, so what is looked up is the hostname.
 */
export function ownedChallenges(context: Context, table: RouteTable): ChallengeSource {
  const source = challengeSource(context);
  const lookups = new Lookups({
    async find(hostname) {
      const domain_id = await findHolder(context, hostname);
      return domain_id && findHttpChallenges(context.store, { hostname, domain_id });
    },
    absent_ms: ABSENT_MS,
    running_max: RUNNING_MAX,
  });
  return {
    async findKeyAuthorization(hostname, token) {
      if (!table.isOwned(hostname)) return null;
      return (await lookups.find(hostname))?.get(token) ?? null;
    },
    // Its caller bounds it: there is one for a hostname.
    findChallengeCertificate: async (hostname) =>
      table.isOwned(hostname) ? source.findChallengeCertificate(hostname) : null,
  };
}
