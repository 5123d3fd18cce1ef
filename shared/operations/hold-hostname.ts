import { ServiceError } from '../core/errors.ts';
import { readName } from '../core/hostname.ts';
import { findTransition } from '../core/transition.ts';
import { findDomainsUnderHold, lockDomainById } from '../store/domains.ts';
import { deleteHold, findHold, type Hold, insertHold, lockHolds } from '../store/holds.ts';
import { type Context, transact } from './context.ts';
import { recordTransition } from './record-transition.ts';

/**
 * Holds a hostname for review: an exact name, or `*.name` for all names below it. Existing domains of it become `held`, new ones
 * are refused (`docs/domains.md`). Holding twice is holding once.
 * @throws ServiceError `invalid_hostname`.
 */
export async function holdHostname(context: Context, input: string, reason: string | null): Promise<Hold> {
  const hostname = readHeldName(input);
  return transact(context, async (tx) => {
    await lockHolds(tx.store, 'hold');
    const hold: Hold = { hostname, reason, created_at: tx.clock.now() };
    await insertHold(tx.store, hold);
    for (const id of await findDomainsUnderHold(tx.store, hostname)) {
      const domain = await lockDomainById(tx.store, id);
      if (domain === null || findTransition(domain, 'hold', hold.created_at) === null) continue;
      await recordTransition(tx, domain, { name: 'hold' });
    }
    return hold;
  });
}

/**
 * Ends a hold. Its domains go back to the status before it, unless another hold covers them; so does a test domain that is held
 * because its name asks for it.
 * @throws ServiceError `invalid_hostname`, or `not_found` where there is nothing to release.
 */
export async function releaseHostname(context: Context, input: string): Promise<void> {
  const hostname = readHeldName(input);
  await transact(context, async (tx) => {
    let found = await deleteHold(tx.store, hostname);
    for (const id of await findDomainsUnderHold(tx.store, hostname)) {
      const domain = await lockDomainById(tx.store, id);
      if (domain?.status !== 'held' || (await findHold(tx.store, domain.hostname)) !== null) continue;
      await recordTransition(tx, domain, { name: 'release' });
      found = true;
    }
    if (!found) throw new ServiceError('not_found', { message: `There is no hold of ${hostname}.` });
  });
}

function readHeldName(input: string): string {
  const wildcard = input.startsWith('*.');
  const read = readName(wildcard ? input.slice(2) : input);
  if ('problem' in read) {
    throw new ServiceError('invalid_hostname', { message: `This name cannot be held: ${read.problem}.` });
  }
  return wildcard ? `*.${read.name}` : read.name;
}
