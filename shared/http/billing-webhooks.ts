import type { H3 } from 'h3';
import { LIMITS } from '../core/limits.ts';
import { handleStripeWebhook } from '../operations/billing/take-billing-event.ts';
import type { Context } from '../operations/context.ts';
import { readBody } from './read-body.ts';

/** Adds the endpoint for webhooks of Stripe to the API's app. Do so only if Stripe is the billing provider. */
export function serveBillingWebhooks(app: H3, context: Context): void {
  app.on('POST', '/webhooks/stripe', async (event) => {
    const body = await readBody(event.req, LIMITS.billing_event_bytes_max);

    const outcome = await handleStripeWebhook(context, {
      body,
      signature: event.req.headers.get('stripe-signature'),
    });
    return Response.json({ outcome }, { headers: { 'cache-control': 'no-store' } });
  });
}
