import { ServiceError } from '../../core/errors.ts';
import { findDomainByConnectToken, lockDomainById } from '../../store/domains/domains.ts';
import { type Context, transact } from '../context.ts';
import { requestCheck } from '../request-check.ts';

/**
 * Handles the customer's "Check now" on the connect page, with the rate limit of the API's `verify`. Test domains are checked too.
 * @throws ServiceError `not_found`, `validation_failed` if there is nothing to check, or `rate_limited`.
 */
export async function checkAgain(context: Context, connectToken: string): Promise<void> {
  await transact(context, async (tx) => {
    const found = await findDomainByConnectToken(tx.store, connectToken);
    const domain = found === null ? null : await lockDomainById(tx.store, found.id);
    if (domain === null) throw new ServiceError('not_found');
    await requestCheck(tx, domain);
  });
}
