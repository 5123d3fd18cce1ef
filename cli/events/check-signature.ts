import { verifyWebhook, WebhookSignatureError } from '../../shared/client/webhooks.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook } from '../../shared/core/webhooks/signature.ts';

/** A signature made now for a body, and whether a receiver accepts it; or the reason why it cannot be checked. */
export type CheckedSignature =
  | { ok: true; header: string; value: string; result: string; isGood: boolean }
  | { ok: false; problem: string };

/** Signs a body and verifies the signature as a receiver does. @param secret the whole secret, including `whsec_`; null for none. */
export async function checkSignature(
  body: string | null,
  secret: string | null,
  now: Date,
): Promise<CheckedSignature> {
  if (body === null) return unchecked('The server did not return the body, so there is nothing to sign.');
  if (!secret) return unchecked('To check it, give the secret with NAMEPLATE_WEBHOOK_SECRET or --secret.');
  const header = serviceNames('Service').signature_header;
  const value = signWebhook({ secrets: [secret], timestampS: Math.floor(now.getTime() / 1000), body });
  try {
    await verifyWebhook({ body, secret, signature: value, now });
    return { ok: true, header, value, result: 'A receiver with this secret accepts it.', isGood: true };
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return { ok: true, header, value, result: error.message, isGood: false };
  }
}

function unchecked(problem: string): CheckedSignature {
  return { ok: false, problem };
}
