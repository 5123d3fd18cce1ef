import { createHash } from 'node:crypto';
import { ServiceError, validationFailed } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import type { Answer, Caller, Context } from '../operations/context.ts';
import { answerBinding, storeAnswer } from '../operations/effect.ts';
import { claimIdempotencyKey, type IdempotencyClaim, releaseIdempotencyKey } from '../store/idempotency.ts';
import { envelope, toServiceError } from './envelope.ts';

/** A request as its fingerprint sees it. */
export interface FingerprintedRequest {
  method: string;
  path_and_query: string;
  body: Uint8Array;
}

/** An answer in its final bytes. */
export interface FinalAnswer {
  status: number;
  text: string | null;
  replayed: boolean;
}

/**
 * Runs a POST under its Idempotency-Key (`docs/idempotency-and-rates.md`): the first request runs, a retry gets the same status and bytes.
 * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`, or what `run` throws.
 */
export async function withIdempotencyKey(
  context: Context,
  caller: Caller,
  header: string,
  request: FingerprintedRequest,
  run: (caller: Caller) => Promise<Answer<unknown>>,
): Promise<FinalAnswer> {
  const now = context.clock.now();
  const claim: IdempotencyClaim = {
    scope: { app_id: caller.app_id, mode: caller.mode },
    key: readKey(header),
    fingerprint: fingerprint(request),
    lease_id: context.ids('lea'),
    lease_until: now + LIMITS.idempotency_lease_ms,
    now,
    kept_since: now - LIMITS.idempotency_kept_ms,
  };
  const state = await claimIdempotencyKey(context.store, claim);
  if (state.claimed) return runClaimed(context, claim, () => run({ ...caller, idempotency: claim }));
  const { row } = state;
  if (row.fingerprint !== claim.fingerprint) throw new ServiceError('idempotency_key_reused');
  if (row.status === null) throw new ServiceError('idempotency_key_in_use', { retry_after_s: 1 });
  const text = row.body === null ? null : context.secrets.open(row.body, answerBinding(claim));
  return { status: row.status, text, replayed: true };
}

async function runClaimed(
  context: Context,
  claim: IdempotencyClaim,
  run: () => Promise<Answer<unknown>>,
): Promise<FinalAnswer> {
  try {
    const { status, body } = await run();
    return { status, text: JSON.stringify(body), replayed: false };
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (!isDecided(error)) {
      await releaseIdempotencyKey(context.store, claim);
      throw thrown;
    }
    const text = JSON.stringify(envelope(error, context.settings, ''));
    await storeAnswer(context, claim, { status: error.status, body: text });
    return { status: error.status, text, replayed: false };
  }
}

/** What a retry would only repeat. A 422 for fields may be a slip of the client's that it mends under the same key. */
function isDecided({ status, code }: ServiceError): boolean {
  return status === 402 || status === 404 || (status === 422 && code !== 'validation_failed');
}

function readKey(header: string): string {
  if (header.length <= LIMITS.idempotency_key_chars_max && /^[\x20-\x7e]+$/.test(header)) return header;
  const message = `must be 1 to ${LIMITS.idempotency_key_chars_max} printable ASCII characters`;
  throw validationFailed({ path: 'Idempotency-Key', message });
}

function fingerprint({ method, path_and_query, body }: FingerprintedRequest): string {
  return createHash('sha256').update(`${method} ${path_and_query}\n`).update(body).digest('hex');
}
