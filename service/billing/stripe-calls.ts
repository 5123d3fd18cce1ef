import { Stripe } from 'stripe';
import { ServiceError } from '../../shared/core/errors.ts';

/** Seconds after which a client should try again (`docs/errors.md`). */
const RETRY_AFTER_S = 60;

/** Stripe's decline codes that a customer can resolve by confirming the card on a page of Stripe. */
const NEEDS_CONFIRMATION: ReadonlySet<string> = new Set([
  'authentication_required',
  'subscription_payment_intent_requires_action',
]);

/** Runs the Stripe requests of one billing operation. @throws ServiceError `billing_unavailable` or `card_declined`. */
export type RunCall = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates the runner of calls to Stripe. The runner ends each call at the deadline, and converts Stripe's errors to ServiceErrors. Throws
 * errors such as a wrong key or an unknown price unchanged, because they are our fault.
 */
export function createStripeCalls(deadlineMs: number): RunCall {
  return async (work) => {
    const { promise: expired, reject } = Promise.withResolvers<never>();
    // The timeout of Stripe's library does not suffice: it applies to a single request, and starts again with each byte.
    const timer = setTimeout(() => reject(unavailable('no response in time')), deadlineMs);
    const working = work();
    // After the deadline, no code awaits `working`. This handler keeps a later error from being reported as unhandled.
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

/** Returns true if Stripe does not have the requested object. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

/** Returns an error for a card that cannot be charged. */
export function declined(message: string, cause?: unknown): ServiceError {
  return new ServiceError('card_declined', { message, cause });
}

/** Returns an error for a card whose bank wants the customer to confirm it. */
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
    // Show Stripe's message, because Stripe writes the message of a card error for the cardholder.
    return declined(error.message, error);
  }
  const isPassing = [StripeAPIError, StripeConnectionError, StripeRateLimitError].some(
    (kind) => error instanceof kind,
  );
  return isPassing || isStillRunning(error) ? unavailable(error) : error;
}

/** Returns true if Stripe refused a repeated request because Stripe is still processing the first request. */
function isStillRunning(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === 'idempotency_key_in_use';
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('billing_unavailable', { retry_after_s: RETRY_AFTER_S, cause });
}
