import { ServiceError } from '../../core/errors.ts';
import { lockDomain } from '../../store/domains/domains.ts';
import { type Answer, type Caller, type Context, transact } from '../context.ts';
import { recordTransition } from './record-transition.ts';

/**
 * `docs/api.md#domains`: DELETE /v1/domains/{id}. The hostname can be added again at once. Events of the deleted domain are still
 * delivered.
 */
export async function deleteDomain(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<null>> {
  return transact(context, async (tx) => {
    const domain = await lockDomain(tx.store, caller, input.params.id);
    if (domain === null) throw new ServiceError('not_found');
    await recordTransition(tx, domain, { name: 'delete' });
    return { status: 204, body: null };
  });
}
