import { WebhookSignatureError } from '../../shared/client/webhooks.ts';

/** The error that a verification ends with; that it ends with none is one too. */
export async function failure(verified: Promise<unknown>): Promise<WebhookSignatureError> {
  const error = await verified.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof WebhookSignatureError) return error;
  throw new Error(`expected a WebhookSignatureError, not ${String(error)}`);
}
