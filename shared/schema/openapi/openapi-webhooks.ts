import { EVENT_TYPES, type EventType } from '../../core/webhooks/event.ts';
import { webhookBodySchema } from '../event.ts';
import type { DocumentSettings, JsonObject, SchemaComponents } from './openapi-components.ts';
import { examples } from './openapi-examples.ts';

/** Returns the `webhooks` of OpenAPI 3.1: the request that a receiver gets for each event type (`docs/api.md#webhooks`). */
export function webhooksOf(
  settings: DocumentSettings,
  components: SchemaComponents,
): Record<string, JsonObject> {
  const body = components.schemaOf(webhookBodySchema, 'output');
  const example = examples(settings)['WebhookEvent'];
  const webhook = (type: EventType) => ({
    post: {
      operationId: `receive_${type.replace('.', '_')}`,
      summary: SUMMARIES[type],
      description: `Sent to the app's \`webhook_url\`. Verify \`${settings.names.signature_header}\` before you trust the body. A request can arrive more than once: skip the events that you handled.`,
      tags: ['Webhooks'],
      // No bearer key: receivers check the signature instead.
      security: [],
      parameters: signatureHeaders(settings),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { allOf: [body, { properties: { type: { const: type } } }] },
            ...(type === 'domain.active' ? { example } : {}),
          },
        },
      },
      responses: {
        '2XX': { description: 'Received. Respond within 10 seconds.' },
        default: {
          description:
            'On any other response, or none, the delivery is retried 1 minute, 5 minutes, 30 minutes, 2 hours, 6 hours, 12 hours and 24 hours after the first attempt.',
        },
      },
    },
  });
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, webhook(type)]));
}

const SUMMARIES: Record<EventType, string> = {
  'domain.created': 'A domain was created',
  'domain.verified': 'All three resolvers confirm the record; the certificate is requested next',
  'domain.active': 'The certificate is stored and the domain serves HTTPS',
  'domain.dns_broken': "A live domain's record was removed or points elsewhere",
  'domain.cert_failed': 'Issuance or renewal failed after retries; status_reason says why',
  'domain.certificate_renewed': 'The certificate was renewed',
  'domain.deleted': 'The domain was deleted; routing stops within 5 seconds',
  'domain.held': 'The hostname was held for review; no certificate is requested',
  'domain.released': 'The hold was released; the domain is back in its previous status',
};

function signatureHeaders({ names }: DocumentSettings): JsonObject[] {
  const header = (name: string, description: string, example: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example,
  });
  const eventId = 'evt_01k9v3p5b8c1d4f7g0h3j6k9mn';
  return [
    header(
      names.signature_header,
      'Hex HMAC-SHA256 of `<t>.<raw body>`, keyed with the signing secret. During a rotation there are two `v1` values. Refuse the request if `t` is more than 300 seconds away from your clock.',
      `t=1795248072,v1=${'5f2c8a1d9b3e7064'.repeat(4)}`,
    ),
    header(
      names.event_id_header,
      'The event id. Every attempt has the same id: skip ids that you handled.',
      eventId,
    ),
    header(names.delivery_id_header, 'The id of this attempt.', 'dlv_01k9v3p5h2j4k6m8n0p2q4r6st'),
    header('User-Agent', 'The name of the sender.', names.webhook_user_agent),
    header('webhook-id', 'Standard Webhooks: the event id.', eventId),
    header('webhook-timestamp', 'Standard Webhooks: seconds since 1970.', '1795248072'),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<raw body>`, keyed with the decoded secret. During a rotation there are two values, separated by a space.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ];
}
