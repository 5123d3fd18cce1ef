import { verifyWebhook, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook } from '../../shared/core/webhooks/signature.ts';

/** The signature that a body gets under a secret now, and whether a receiver with that secret accepts it; or how to have it checked. */
export type SignatureCheck =
  | { header: string; value: string; result: string; is_good: boolean }
  | { missing: string };

/** @param secret as it was given out, `whsec_` included; null for none. */
export async function checkSignature(
  body: string | null,
  secret: string | null,
  now: Date,
): Promise<SignatureCheck> {
  if (body === null) return { missing: 'The server does not tell the body, so there is nothing to sign.' };
  if (!secret) return { missing: 'Give the secret with --secret or NAMEPLATE_WEBHOOK_SECRET to check it.' };
  const header = serviceNames('Service').signature_header;
  const value = signWebhook({ secrets: [secret], timestamp_s: Math.floor(now.getTime() / 1000), body });
  try {
    await verifyWebhook({ body, secret, signature: value, now });
    return { header, value, result: 'A receiver with this secret accepts it.', is_good: true };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return { header, value, result: error.message, is_good: false };
  }
}
