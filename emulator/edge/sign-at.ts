import type { EventId } from '../../shared/core/ids.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import type { Context } from '../../shared/operations/context.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { getEvent } from '../../shared/store/events/events.ts';
import type { SignAt } from '../chaos/chaos.ts';

/** Creates a function that signs like a delivery, but with a shifted timestamp, with the secrets of the event's app. */
export function createSignAt(context: () => Context): SignAt {
  return async (event_id, body, offset_ms) => {
    const { store, settings, wall_clock } = context();
    const event = await getEvent(store, event_id as EventId);
    const secrets = openSigningSecrets(context(), await getApp(store, event.app_id));
    const timestamp_s = Math.floor((wall_clock.now() + offset_ms) / 1000);
    return {
      [settings.names.signature_header]: signWebhook({ secrets, timestamp_s, body }),
      'webhook-timestamp': String(timestamp_s),
      'webhook-signature': standardWebhookSignature({ secrets, id: event_id, timestamp_s, body }),
    };
  };
}
