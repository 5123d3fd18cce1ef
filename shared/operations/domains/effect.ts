import { ServiceError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { completeIdempotencyKey, type IdempotencyClaim } from '../../store/accounts/idempotency.ts';
import { type Answer, type Caller, type Context, type TxContext, transact } from '../context.ts';

/**
 * Runs the change of a request in one transaction, which also stores the response under the request's Idempotency-Key. So after a crash, a
 * retry either replays the response or makes the change (`docs/idempotency-and-rates.md`).
 */
export async function effect<T>(
  context: Context,
  caller: Caller,
  work: (tx: TxContext) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  return transact(context, async (tx) => {
    const answer = await work(tx);
    await storeAnswer(tx, caller.idempotency, { status: answer.status, body: JSON.stringify(answer.body) });
    return answer;
  });
}

/**
 * Stores a response under the request's Idempotency-Key.
 * @throws ServiceError `idempotency_key_in_use` if another request has taken over the key. The change must then not be committed.
 */
export async function storeAnswer(
  { store, secrets }: TxContext,
  claim: IdempotencyClaim | null,
  answer: Answer<string>,
): Promise<void> {
  if (claim === null) return;
  const body = secrets.seal(answer.body, answerBinding(claim));
  const kept = await completeIdempotencyKey(store, claim, { status: answer.status, body });
  if (kept) return;
  const retryAfterS = LIMITS.idempotency_lease_ms / 1000;
  throw new ServiceError('idempotency_key_in_use', { retry_after_s: retryAfterS });
}

/** Returns the text to which the encryption of a stored body is bound. The body can be decrypted only with the same idempotency key, app and mode. */
export function answerBinding({ scope, key }: Pick<IdempotencyClaim, 'scope' | 'key'>): string {
  return JSON.stringify(['idempotency', scope.app_id, scope.mode, key]);
}
