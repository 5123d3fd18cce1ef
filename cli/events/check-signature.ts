import { verifyWebhook, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook } from '../../shared/core/webhooks/signature.ts';

/** A signature made now for a body, and whether a receiver accepts it; or the reason why it cannot be checked. */
export type CheckedSignature =
  | { header: string; value: string; result: string; isGood: boolean }
  | { missing: string };

/** Signs a body and verifies the signature as a receiver does. @param secret the whole secret, including `whsec_`; null for none. */
export async function checkSignature(
  body: string | null,
  secret: string | null,
  now: Date,
): Promise<CheckedSignature> {
  if (body === null) return { missing: 'The server did not return the body, so there is nothing to sign.' };
  if (!secret) return { missing: 'To check it, give the secret with NAMEPLATE_WEBHOOK_SECRET or --secret.' };
  const header = serviceNames('Service').signature_header;
  const value = signWebhook({ secrets: [secret], timestampS: Math.floor(now.getTime() / 1000), body });
  try {
    await verifyWebhook({ body, secret, signature: value, now });
    return { header, value, result: 'A receiver with this secret accepts it.', isGood: true };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return { header, value, result: error.message, isGood: false };
  }
}
