import type { Client } from '../../shared/client/client.ts';
import { ApiError } from '../../shared/client/client-error.ts';
import { ID_RANDOM_BYTES, makeId } from '../../shared/core/ids.ts';
import { serviceNames } from '../../shared/core/service-name.ts';
import { signWebhook, standardWebhookSignature } from '../../shared/core/webhooks/signature.ts';
import type { EventResource } from '../../shared/schema/event.ts';
import { isTransient } from '../arguments/explain-api-error.ts';
import { CliError } from '../runtime/cli-error.ts';
import { type LocalResponse, sendLocally } from './send-locally.ts';

interface ForwardOptions {
  target: URL;
  secret: string;
  events: Pick<Client['events'], 'get'>;
  random(bytes: number): Uint8Array;
  pause(waitMs: number): Promise<void>;
  signal: AbortSignal;
}

const NAMES = serviceNames('Service');
const BODY_RETRY_MS = 2_000;

/**
 * Sends an event with its original body and freshly signed webhook headers (`docs/api.md#webhooks`).
 * @returns the receiver's response; null if the server no longer has the event, or the signal is aborted. @throws CliError, ApiError
 */
export async function forwardEvent(
  event: EventResource,
  options: ForwardOptions,
): Promise<LocalResponse | null> {
  const { target, secret, random } = options;
  const body = await originalBody(event, options);
  if (body === null) return null;
  const timestampS = Math.floor(Date.now() / 1000);
  const signed = { secrets: [secret], timestampS, body };
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': NAMES.webhook_user_agent,
    [NAMES.signature_header]: signWebhook(signed),
    [NAMES.event_id_header]: event.id,
    [NAMES.delivery_id_header]: makeId('dlv', Date.now(), random(ID_RANDOM_BYTES)),
    'webhook-id': event.id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': standardWebhookSignature({ ...signed, id: event.id }),
  };
  return sendLocally(target, headers, body, options.signal);
}

/**
 * Fetches the event's body, retrying until the server responds, so that no announced event is lost. Returns null if the server no longer has the event, or the signal is aborted.
 */
async function originalBody(
  event: EventResource,
  { events, pause, signal }: ForwardOptions,
): Promise<string | null> {
  while (!signal.aborted) {
    try {
      const { body } = await events.get(event.id);
      if (typeof body === 'string') return body;
      if (body === null) return null;
      throw new CliError('unexpected', 'This server does not return event bodies.', {
        fix: 'Update the server: it is older than this command.',
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      if (!isTransient(error) && !signal.aborted) throw error;
      await pause(BODY_RETRY_MS);
    }
  }
  return null;
}
