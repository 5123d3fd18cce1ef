import { WebhookSignatureError } from '../../shared/client/webhooks.ts';

/** Returns the error that a verification rejects with. Throws if it does not reject. */
export async function failure(verified: Promise<unknown>): Promise<WebhookSignatureError> {
  const error = await verified.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof WebhookSignatureError) return error;
  throw new Error(`expected a WebhookSignatureError, not ${String(error)}`);
}
