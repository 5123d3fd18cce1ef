import { verifyWebhook } from '../../shared/client/webhooks.ts';
import type { Arrival, WebhookReceiver } from '../fixtures/webhook-receiver.ts';

/** Verifies a delivered event, and returns its type. @throws if its signature is not valid. */
export async function verified(arrival: Arrival | undefined, secret: string): Promise<string> {
  const { headers = {}, body = '' } = arrival ?? {};
  const signedAt = Number(/t=(\d+)/.exec(String(headers['service-signature']))?.[1]) * 1000;
  return (await verifyWebhook({ secret, body, headers, now: new Date(signedAt) })).type;
}

/** Verifies the newest test event with a secret. @returns its type. */
export async function verifiedTestEvent({ arrivals }: WebhookReceiver, secret: string): Promise<string> {
  return verified(
    arrivals.findLast(({ body }) => JSON.parse(body).test === true),
    secret,
  );
}
