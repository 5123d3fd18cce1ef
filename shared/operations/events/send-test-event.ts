import { validationFailed } from '../../core/errors.ts';
import type { AppId } from '../../core/ids.ts';
import { timestamp } from '../../core/instant.ts';
import type { AttemptOutcome } from '../../core/webhooks/delivery.ts';
import type { WebhookBody } from '../../schema/event.ts';
import { examples } from '../../schema/openapi/openapi-examples.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { type Context, transact } from '../context.ts';
import { spend } from '../spend.ts';
import { postWebhook, webhookHeaders } from './attempt.ts';

/** A test event as it was sent, and the response of the receiver. */
export interface SentTestEvent {
  outcome: AttemptOutcome;
  body: WebhookBody & { test: true };
  /** The value of the signature header. */
  signature: string;
}

const HOSTNAME = 'test-event.example.com';

/**
 * Sends the example event of the API reference to the app's webhook URL once, signed like any other event. The test event is not stored, so
 * it is not in the event log and has no retries. `test: true` in the body tells the receiver that no domain changed.
 * @throws ServiceError `validation_failed` without a webhook URL, `rate_limited`.
 */
export async function sendTestEvent(context: Context, appId: AppId): Promise<SentTestEvent> {
  // The guard of the context writes the audit entry in this transaction, before anything is sent.
  const app = await transact(context, async (tx) => {
    const found = await getApp(tx.store, appId);
    if (found.webhook_url === null) {
      throw validationFailed({ path: 'webhook_url', message: 'is not set; set it first' });
    }
    await spend(tx, 'test_events', found.account_id);
    return found;
  });
  const example = examples(context.settings)['WebhookEvent'] as WebhookBody;
  const { data } = example;
  const body: SentTestEvent['body'] = {
    ...example,
    id: context.ids('evt'),
    created_at: timestamp(context.clock.now()),
    test: true,
    data: { ...data, domain: { ...data.domain, hostname: HOSTNAME } },
  };
  const text = JSON.stringify(body);
  const headers = webhookHeaders(context, app, { id: body.id, body: text }, { id: context.ids('dlv') });
  const outcome = await postWebhook(context, app, headers, text);
  return { outcome, body, signature: headers[context.settings.names.signature_header] ?? '' };
}
