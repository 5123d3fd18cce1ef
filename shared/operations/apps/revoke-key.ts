import { ServiceError } from '../../core/errors.ts';
import { revokeApiKey } from '../../store/accounts/api-keys.ts';
import { type Answer, type Caller, type Context, transact } from '../context.ts';
import { visibleModes } from './list-keys.ts';

/** `docs/api.md#keys`: DELETE /v1/keys/{id}. Every node refuses the key within 5 seconds. */
export async function revokeKey(
  context: Context,
  caller: Caller,
  input: { params: { id: string } },
): Promise<Answer<null>> {
  return transact(context, async (tx) => {
    const modes = visibleModes(caller);
    const key = await revokeApiKey(tx.store, caller.app_id, modes, input.params.id, tx.clock.now());
    if (key === null) throw new ServiceError('not_found');
    tx.notices.publish({ kind: 'credentials', app_id: caller.app_id });
    return { status: 204, body: null };
  });
}
