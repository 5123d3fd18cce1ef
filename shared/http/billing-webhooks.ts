import type { H3 } from 'h3';
import { ServiceError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type EventOutcome, handleStripeWebhook } from '../operations/billing/sync-customer.ts';
import type { Context } from '../operations/context.ts';
import { type Admission, clientOf } from './admission.ts';
import { readBodyInTime } from './read-body.ts';

const PATH = '/webhooks/stripe';

/** Time for the body of a webhook to arrive. Stripe sends the body immediately. */
const BODY_MS = 5_000;

/**
 * Maximum number of bytes of all bodies that are being read. Without this limit, the node might have a body in memory for each connection.
 */
const BUFFERED_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The name under which requests with a valid Stripe signature share capacity. Visitors from the same network cannot use up this capacity.
 */
const STRIPE_PARTY = 'stripe';

export interface BillingWebhookOptions {
  admission: Admission;
  bodyMs?: number;
  bufferedBytesMax?: number;
}

/**
 * Adds the endpoint for webhooks of Stripe to the API's app. Call this only if Stripe is the billing provider. A request uses capacity only
 * once its body has arrived with a valid signature, so that slow or forged requests use none.
 * @returns the paths for which this endpoint reserves capacity, instead of `createApi`.
 */
export function serveBillingWebhooks(
  app: H3,
  context: Context,
  { admission, bodyMs = BODY_MS, bufferedBytesMax = BUFFERED_BYTES_MAX }: BillingWebhookOptions,
): readonly string[] {
  let bufferedBytes = 0;

  /**
   * Reads a request's body, and counts the bytes while they arrive. @throws ServiceError `service_unavailable` if all bodies together
   * exceed their limit.
   */
  async function readEvent(request: Request): Promise<Uint8Array> {
    let bytes = 0;
    const count = (added: number) => {
      bytes += added;
      bufferedBytes += added;
      if (bufferedBytes > bufferedBytesMax)
        throw new ServiceError('service_unavailable', { retry_after_s: 1 });
    };
    try {
      return await readBodyInTime(request, LIMITS.billing_event_bytes_max, { deadlineMs: bodyMs, count });
    } finally {
      bufferedBytes -= bytes;
    }
  }

  app.on('POST', PATH, async (event) => {
    const client = clientOf(event);
    const stripe = { ...client, network: STRIPE_PARTY };
    const admit = (work: () => Promise<EventOutcome>) => admission.servePage(stripe, work);
    const signature = event.req.headers.get('stripe-signature');
    try {
      const body = await readEvent(event.req);
      const outcome = await handleStripeWebhook(context, { body, signature }, admit);
      return Response.json({ outcome }, { headers: { 'cache-control': 'no-store' } });
    } catch (thrown) {
      const isRefused = thrown instanceof ServiceError && thrown.code === 'invalid_request';
      if (isRefused) await admission.paceRefusal(client.network, client);
      throw thrown;
    }
  });
  return [PATH];
}
