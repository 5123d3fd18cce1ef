import { ServiceError, validationFailed } from '../../core/errors.ts';
import { lockDomain } from '../../store/domains/domains.ts';
import type { Answer, Caller, Context } from '../context.ts';
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
