import { Stripe } from 'stripe';
import { ServiceError } from '../../shared/core/errors.ts';

/** Seconds after which a client should try again (`docs/errors.md`). */
const RETRY_AFTER_S = 60;

/** Codes of declines that the customer can resolve by confirming the card on a page of Stripe. */
const NEEDS_CONFIRMATION: ReadonlySet<string> = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
]);

/** Runs the requests of one call. @throws ServiceError `billing_unavailable` or `card_declined`. */
export type RunCall = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates the runner of calls to Stripe. It ends each call at the deadline, and turns Stripe's errors into ServiceErrors. A wrong key or an
 * unknown price is a fault of this service, so it throws those errors unchanged.
 */
export function createStripeCalls(deadlineMs: number): RunCall {
  return async (work) => {
    const { promise: expired, reject } = Promise.withResolvers<never>();
    // Stripe's own time limit applies to one request, and starts again with each byte.
    const timer = setTimeout(() => reject(unavailable('no response in time')), deadlineMs);
    const working = work();
    // After the deadline, the caller no longer waits for this result.
    working.catch(() => undefined);
    try {
      return await Promise.race([working, expired]);
    } catch (error) {
      throw translated(error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns whether Stripe does not have the object that was asked for. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Returns an error for a card that cannot be charged. */
export function declined(message: string, cause?: unknown): ServiceError {
  return new ServiceError('card_declined', { message, cause });
}

/** Returns an error for a card that the bank wants to be confirmed. */
export function needsConfirmation(cause?: unknown): ServiceError {
  return new ServiceError('card_declined', {
    message: 'The bank wants the card to be confirmed.',
    fix: 'Add the card again and confirm it with the bank, or use another card.',
    cause,
  });
}

function translated(error: unknown): unknown {
  const { StripeAPIError, StripeCardError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripeCardError) {
    if (NEEDS_CONFIRMATION.has(error.code ?? '') || NEEDS_CONFIRMATION.has(error.decline_code))
      return needsConfirmation(error);
    // Stripe writes the message of a card error for the cardholder.
    return declined(error.message, error);
  }
  const isPassing = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
    (kind) => error instanceof kind,
  );
  return isPassing || isStillRunning(error) ? unavailable(error) : error;
}

/** Returns whether Stripe refused a repeated request because it still works on the first one. */
function isStillRunning(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('billing_unavailable', { retry_after_s: RETRY_AFTER_S, cause });
}
