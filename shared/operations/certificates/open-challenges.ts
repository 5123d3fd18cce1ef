import type { DomainId } from '../../core/ids.ts';
import { type Challenge, deleteChallenges, saveChallenge } from '../../store/certificates/challenges.ts';
import type { TxContext } from '../context.ts';

/** Stores a challenge, whose response every edge then serves. */
export async function openChallenge(tx: TxContext, challenge: Challenge): Promise<void> {
  await saveChallenge(tx.store, challenge);
  const { hostname, token, domain_id } = challenge;
  tx.notices.publish({ kind: 'challenge', hostname, token, domain_id });
}

/** Deletes the challenges of a domain. Edges stop serving their responses. */
export async function closeChallenges(tx: TxContext, domainId: DomainId): Promise<void> {
  for (const challenge of await deleteChallenges(tx.store, domainId))
    tx.notices.publish({ kind: 'challenge', ...challenge });
}
