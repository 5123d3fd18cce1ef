import { createHash } from 'node:crypto';
import { leaseEnd } from '../core/domains/job.ts';
import { ServiceError, validationFailed } from '../core/errors.ts';
import type { Instant } from '../core/instant.ts';
import { LIMITS } from '../core/limits.ts';
import type { Answer, Caller, Context } from '../operations/context.ts';
import { answerBinding, storeAnswer } from '../operations/domains/effect.ts';
import {
  claimIdempotencyKey,
  type IdempotencyClaim,
  releaseIdempotencyKey,
  renewIdempotencyKey,
} from '../store/accounts/idempotency.ts';
import { autocommit, type Store } from '../store/store.ts';
import { CommitUnknown } from '../store/unavailable.ts';
import { envelope, toServiceError } from './envelope.ts';

/** The parts of a request that decide whether a repeated Idempotency-Key belongs to the same request. */
export interface FingerprintedRequest {
  method: string;
  pathAndQuery: string;
  body: Uint8Array;
}

/** A response that is sent now, and sent again to a retry. */
export interface FinalResponse {
  status: number;
  text: string | null;
  replayed: boolean;
}

/**
 * Runs a POST under its Idempotency-Key (`docs/idempotency-and-rates.md`). The first request with a key runs. A retry gets the same status
 * and the same bytes.
 * @param leases the store that renews and releases the lease. This store must not wait behind the request's own queries.
 * @throws ServiceError `idempotency_key_in_use`, `idempotency_key_reused`, or what `run` throws.
 */
export async function withIdempotencyKey(
  context: Context,
  caller: Caller,
  header: string,
  request: FingerprintedRequest,
  run: (caller: Caller) => Promise<Answer<unknown>>,
  leases: Store = context.store,
): Promise<FinalResponse> {
  const now = context.clock.now();
  const claim: IdempotencyClaim = {
    scope: { app_id: caller.app_id, mode: caller.mode },
    key: readKey(header),
    fingerprint: fingerprint(request),
    lease_id: context.ids('lea'),
    lease_until: leaseEnd(context.settings, now, LIMITS.idempotency_lease_ms),
    now,
    keptSince: now - LIMITS.idempotency_kept_ms,
  };
  const state = await claimIdempotencyKey(autocommit(context.store), claim);
  if (state.claimed) return runClaimed(context, claim, () => run({ ...caller, idempotency: claim }), leases);
  const { row } = state;
  if (row.fingerprint !== claim.fingerprint) throw new ServiceError('idempotency_key_reused');
  if (row.status === null) throw inUse(row.lease_until, now);
  const text = row.body === null ? null : context.secrets.open(row.body, answerBinding(claim));
  return { status: row.status, text, replayed: true };
}

async function runClaimed(
  context: Context,
  claim: IdempotencyClaim,
  run: () => Promise<Answer<unknown>>,
  leases: Store,
): Promise<FinalResponse> {
  using _renewal = renewClaim({ ...context, store: leases }, claim);
  try {
    return await decide(context, claim, run);
  } catch (thrown) {
    // It is unknown whether the change was saved together with its response. If it is not saved, the same request can run again once the
    // lease ends.
    if (thrown instanceof CommitUnknown) throw thrown;
    // The request changed nothing, so the key is released and the same request may run again immediately. If the database is unreachable,
    // the lease ends later by itself.
    await releaseIdempotencyKey(autocommit(leases), claim).catch((error: unknown) =>
      context.log.warn({ error }, 'could not release an Idempotency-Key'),
    );
    throw thrown;
  }
}

async function decide(
  context: Context,
  claim: IdempotencyClaim,
  run: () => Promise<Answer<unknown>>,
): Promise<FinalResponse> {
  try {
    const { status, body } = await run();
    return { status, text: JSON.stringify(body), replayed: false };
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (!isDecided(error)) throw thrown;
    const text = JSON.stringify(envelope(error, context.settings, ''));
    await storeAnswer({ ...context, store: autocommit(context.store) }, claim, {
      status: error.status,
      body: text,
    });
    return { status: error.status, text, replayed: false };
  }
}

/**
 * Extends the lease of a key repeatedly, until the returned object is disposed. Leases can thus be short and end soon after a crash, even
 * if a request takes long.
 */
function renewClaim({ settings, store, clock, log }: Context, claim: IdempotencyClaim): Disposable {
  // With a single process, a lease never ends, because no other process can take over the key.
  if (settings.singleProcess) return { [Symbol.dispose]: () => undefined };
  let renewing = false;
  const renew = async () => {
    if (renewing) return;
    renewing = true;
    try {
      await renewIdempotencyKey(
        autocommit(store),
        claim,
        leaseEnd(settings, clock.now(), LIMITS.idempotency_lease_ms),
      );
    } catch (error) {
      log.warn({ error }, 'could not extend the lease of an Idempotency-Key');
    }
    renewing = false;
  };
  const timer = setInterval(renew, LIMITS.idempotency_lease_ms / 3);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/**
 * Builds the refusal for a key whose first request has not finished. The error tells the client to retry once the lease ends, because by
 * then it is known whether the first request was lost.
 */
function inUse(leaseUntil: Instant, now: Instant): ServiceError {
  const waitMs = Math.min(Math.max(leaseUntil - now, 1), LIMITS.idempotency_lease_ms);
  return new ServiceError('idempotency_key_in_use', { retry_after_s: Math.ceil(waitMs / 1000) });
}

/**
 * Returns true if an error is stored as the final response, because a retry would fail in the same way. `validation_failed` is not stored:
 * the client may correct the request and keep the key.
 */
function isDecided({ status, code }: ServiceError): boolean {
  return status === 402 || status === 404 || (status === 422 && code !== 'validation_failed');
}

function readKey(header: string): string {
  if (header.length <= LIMITS.idempotency_key_chars_max && /^[\x20-\x7e]+$/.test(header)) return header;
  const message = `must be 1 to ${LIMITS.idempotency_key_chars_max} printable ASCII characters`;
  throw validationFailed({ path: 'Idempotency-Key', message });
}

function fingerprint({ method, pathAndQuery, body }: FingerprintedRequest): string {
  return createHash('sha256').update(`${method} ${pathAndQuery}\n`).update(body).digest('hex');
}
