import { WebhookSignatureError } from '../../shared/client/webhooks.ts';

/** Returns the error with which a verification rejects. Throws if the verification succeeds. */
export async function failure(verified: Promise<unknown>): Promise<WebhookSignatureError> {
  const error = await verified.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof WebhookSignatureError) return error;
  throw new Error(`expected a WebhookSignatureError, not ${String(error)}`);
}
