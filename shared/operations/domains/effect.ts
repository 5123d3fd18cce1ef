import { ServiceError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { completeIdempotencyKey, type IdempotencyClaim } from '../../store/accounts/idempotency.ts';
import { type Answer, type Caller, type Context, transact } from '../context.ts';

/**
 * A request's effect: one transaction that also stores the answer under the request's Idempotency-Key, so that after a
 * crash a retry either replays the answer or really runs (`docs/idempotency-and-rates.md`).
 */
export async function effect<T>(
  context: Context,
  caller: Caller,
  work: (tx: Context) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  return transact(context, async (tx) => {
    const answer = await work(tx);
    await storeAnswer(tx, caller.idempotency, { status: answer.status, body: JSON.stringify(answer.body) });
    return answer;
  });
}

/** @throws ServiceError `idempotency_key_in_use` where another took the key over: then this effect must not commit. */
export async function storeAnswer(
  context: Context,
  claim: IdempotencyClaim | null,
  answer: Answer<string>,
): Promise<void> {
  if (claim === null) return;
  const body = context.secrets.seal(answer.body, answerBinding(claim));
  const kept = await completeIdempotencyKey(context.store, claim, { status: answer.status, body });
  if (kept) return;
  const retry_after_s = LIMITS.idempotency_lease_ms / 1000;
  throw new ServiceError('idempotency_key_in_use', { retry_after_s });
}

/** What a stored body is bound to. */
export function answerBinding({ scope, key }: Pick<IdempotencyClaim, 'scope' | 'key'>): string {
  return JSON.stringify(['idempotency', scope.app_id, scope.mode, key]);
}
