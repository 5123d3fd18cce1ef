import { ServiceError, validationFailed } from '../../core/errors.ts';
import { findDomainByConnectToken, lockDomain, lockDomainById } from '../../store/domains/domains.ts';
import { type Answer, type Caller, type Context, transact } from '../context.ts';
import { effect } from '../domains/effect.ts';
import { requestCheck } from '../request-check.ts';

/**
 * `docs/api.md#domains`: POST /v1/domains/{id}/verify. Queues a check. On a `cert_failed` domain it retries the issuance. The API refuses a
 * test domain. Its connect page accepts "Check now", so that developers can try the page.
 */
export async function verifyDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<{ queued: true }>> {
  return effect(context, caller, async (tx) => {
    const domain = await lockDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    if (domain.mode === 'test') {
      throw validationFailed({
        path: 'mode',
        message: 'a test domain moves by a timer and has no DNS to check',
      });
    }
    await requestCheck(tx, domain);
    return { status: 202, body: { queued: true } };
  });
}

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
