import { verifyWebhook } from '../../shared/client/webhooks.ts';
import type { Arrival, WebhookReceiver } from '../fixtures/webhook-receiver.ts';

/** Verifies a delivered event, and returns its type. @throws if the signature of the delivery is not valid. */
export async function verified(arrival: Arrival | undefined, secret: string): Promise<string> {
  const { headers = {}, body = '' } = arrival ?? {};
  const signedAt = Number(/t=(\d+)/.exec(String(headers['service-signature']))?.[1]) * 1000;
  return (await verifyWebhook({ secret, body, headers, now: new Date(signedAt) })).type;
}

/** Verifies the newest delivered test event with a secret. @returns the type of the event. */
export async function verifiedTestEvent({ arrivals }: WebhookReceiver, secret: string): Promise<string> {
  return verified(
    arrivals.findLast(({ body }) => JSON.parse(body).test === true),
    secret,
  );
}
