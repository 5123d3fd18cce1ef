import type { EventId } from '../../shared/core/ids.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import type { Context } from '../../shared/operations/context.ts';
import { openSigningSecrets } from '../../shared/operations/events/signing-secrets.ts';
import { getApp } from '../../shared/store/accounts/apps.ts';
import { getEventById } from '../../shared/store/events/events.ts';
import type { SignAt } from '../chaos/chaos.ts';

/** Creates a function that signs like a delivery, but with a shifted timestamp, with the secrets of the event's app. */
export function createSignAt(context: () => Context): SignAt {
  return async (eventId, body, offsetMs) => {
    const { store, settings, wallClock } = context();
    const event = await getEventById(store, eventId as EventId);
    const secrets = openSigningSecrets(context(), await getApp(store, event.app_id));
    const timestampS = Math.floor((wallClock.now() + offsetMs) / 1000);
    return {
      [settings.names.signature_header]: signWebhook({ secrets, timestampS, body }),
      'webhook-timestamp': String(timestampS),
      'webhook-signature': standardWebhookSignature({ secrets, id: eventId, timestampS, body }),
    };
  };
}
