import type { Client } from '../../shared/client/client.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { ID_RANDOM_BYTES, makeId } from '../../shared/core/ids.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import type { EventResource } from '../../shared/schema/event.ts';
import { CliError } from '../runtime/cli-error.ts';
import { type LocalAnswer, sendLocally } from './send-locally.ts';

interface ForwardOptions {
  target: URL;
  secret: string;
  events: Pick<Client['events'], 'get'>;
  random(bytes: number): Uint8Array;
  pause(wait_ms: number): Promise<void>;
  signal: AbortSignal;
}

const NAMES = serviceNames('Service');
const BODY_AGAIN_MS = 2_000;

/**
 * Sends an event with its original body and the headers of a webhook (section 6), freshly signed.
 * @returns null when the server no longer has it, or all of it has ended. @throws CliError, ApiError
 */
export async function forwardEvent(
  event: EventResource,
  options: ForwardOptions,
): Promise<LocalAnswer | null> {
  const { target, secret, random } = options;
  const body = await originalBody(event, options);
  if (body === null) return null;
  const timestamp_s = Math.floor(Date.now() / 1000);
  const signed = { secrets: [secret], timestamp_s, body };
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': NAMES.webhook_user_agent,
    [NAMES.signature_header]: signWebhook(signed),
    [NAMES.event_id_header]: event.id,
    [NAMES.delivery_id_header]: makeId('dlv', Date.now(), random(ID_RANDOM_BYTES)),
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp_s),
    'webhook-signature': standardWebhookSignature({ ...signed, id: event.id }),
  };
  return sendLocally(target, headers, body, options.signal);
}

/** Asks until the server is there again: what it has told of must not get lost on the way. */
async function originalBody(
  event: EventResource,
  { events, pause, signal }: ForwardOptions,
): Promise<string | null> {
  while (!signal.aborted) {
    try {
      const { body } = await events.get(event.id);
      if (typeof body === 'string') return body;
      if (body === null) return null;
      throw new CliError('unexpected', 'This server does not tell the bodies of events.', {
        fix: 'It is older than this command: update the server.',
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      const passes =
        error instanceof NetworkError ||
        (error instanceof ApiError && (error.status === 429 || error.status >= 500));
      if (!passes && !signal.aborted) throw error;
      await pause(BODY_AGAIN_MS);
    }
  }
  return null;
}
