import { verifyWebhook, WebhookSignatureError } from '../../../shared/client/webhooks.ts';
import { serviceNames } from '../../../shared/core/service-name.ts';
import { signWebhook } from '../../../shared/core/webhooks/signature.ts';
import type { EventDetail } from '../../../shared/schema/event.ts';
import { plainText } from '../../output/plain-text.ts';

export type RequestHeader = readonly [name: string, value: string];

/**
 * Returns the headers of the requests that delivered an event, without the signature headers. The API does not return them, but the ids of
 * the event and the attempt determine them (`docs/webhooks.md`). @param deliveryId the id of the attempt; null leaves out its header.
 */
export function requestHeaders({ id }: Pick<EventDetail, 'id'>, deliveryId: string | null): RequestHeader[] {
  const names = serviceNames('Service');
  return [
    ['Content-Type', 'application/json'],
    ['User-Agent', names.webhook_user_agent],
    [names.event_id_header, id],
    ...(deliveryId === null ? [] : [[names.delivery_id_header, deliveryId] as const]),
    ['webhook-id', id],
  ];
}

interface EventRequest {
  event: Pick<EventDetail, 'id' | 'deliveries'>;
  url: string;
  body: string;
  /** A signature of the body with the current time; null leaves out the signature header. */
  signature: CheckedSignature | null;
}

/** Returns a curl command that sends an event to the receiver as the service does. */
export function curlOfEvent({ event, url, body, signature }: EventRequest): string {
  const signed = signature?.ok ? [[signature.header, signature.value] as const] : [];
  const headers = [...requestHeaders(event, event.deliveries[0]?.id ?? null), ...signed];
  return [
    `curl ${quoted(url)}`,
    ...headers.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ].join(' \\\n');
}

/** Returns a curl command for a resource of the API. The command reads the API key from the environment, so users can share the command. */
export function curlOfApi(baseUrl: string, path: string): string {
  const url = `${baseUrl.replace(/\/v1\/?$/, '')}${path}`;
  return `curl ${quoted(url)} \\\n  -H "Authorization: Bearer $NAMEPLATE_API_KEY"`;
}

/** Quotes a word for a POSIX shell. */
function quoted(text: string): string {
  return `'${plainText(text).replaceAll("'", `'\\''`)}'`;
}

/** A signature of a body with the current time, and whether a receiver accepts it; or the reason why there is no signature. */
export type CheckedSignature =
  | { ok: true; header: string; value: string; result: string; isGood: boolean }
  | { ok: false; problem: string };

/**
 * Signs a body and verifies the signature as a receiver does.
 *
 * @param secret the signing secret with its prefix `whsec_`; null if it is not known.
 */
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
