import { errorSchema } from '../error.ts';
import { type ApiRoute, type OperationId, ROUTES, takesIdempotencyKey } from '../routes.ts';
import {
  type DocumentSettings,
  type JsonObject,
  makeSchemaComponents,
  type SchemaComponents,
} from './openapi-components.ts';
import { examples } from './openapi-examples.ts';
import {
  errorExamples,
  errorResponses,
  HEADERS,
  PARAMETERS,
  parametersOf,
  responseHeaders,
} from './openapi-responses.ts';
import { webhooksOf } from './openapi-webhooks.ts';

/**
 * Builds the OpenAPI 3.1 document of `GET /v1/openapi.json` (`docs/api.md#versioning`) from the route table and the zod schemas. Building
 * takes some milliseconds and depends only on the settings, so the caller should keep the result.
 */
export function openApiDocument(settings: DocumentSettings): JsonObject {
  const components = makeSchemaComponents();
  components.schemaOf(errorSchema, 'output');
  const paths = pathsOf(settings, components);
  const webhooks = webhooksOf(settings, components);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Custom domains API',
      version: '1.0.0',
      description:
        'Custom domains as a service. v1 may gain fields and codes: ignore unknown fields, and treat an unknown `error.code` or `status_reason` as "see the docs".',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { url: settings.docsUrl, description: 'Guides, error codes and status reasons' },
    servers: [{ url: settings.baseUrl }],
    security: [{ bearer: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: {
      schemas: components.schemas,
      parameters: PARAMETERS,
      headers: HEADERS,
      examples: errorExamples(settings),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the app: `sk_live_…` or `sk_test_…`.',
        },
      },
    },
  };
}

const TAGS = [
  { name: 'Apps', description: 'The app of the key: its origin, webhook URL and white-label host.' },
  { name: 'Keys', description: 'API keys for live and test mode.' },
  { name: 'Domains', description: "Hostnames that belong to the app's customers." },
  { name: 'Events', description: 'Every state change, and the attempts to deliver it.' },
  { name: 'Webhooks', description: "The signed requests that the app's webhook URL receives." },
];

const RESPONSE_DESCRIPTIONS: Record<string, string> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Queued.',
  204: 'Success, without a body.',
  'createDomain 200':
    'The app already had this hostname. Returns the existing domain. If that domain had expired, a new window of 72 hours has opened.',
  'redeliverEvent 201': "The new delivery. `status_code` is the status of the receiver's response.",
};

function pathsOf(settings: DocumentSettings, components: SchemaComponents) {
  const paths: Record<string, JsonObject> = {};
  for (const [id, route] of Object.entries(ROUTES) as [OperationId, ApiRoute][]) {
    const methods = paths[route.path] ?? {};
    methods[route.method.toLowerCase()] = operation(id, route, settings, components);
    paths[route.path] = methods;
  }
  return paths;
}

function operation(
  id: OperationId,
  route: ApiRoute,
  settings: DocumentSettings,
  components: SchemaComponents,
) {
  const parameters = parametersOf(route, components);
  const body = route.body && components.schemaOf(route.body, 'input');
  const responses = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: RESPONSE_DESCRIPTIONS[`${id} ${status}`] ?? RESPONSE_DESCRIPTIONS[status],
      headers: takesIdempotencyKey(route) ? responseHeaders('Idempotency-Replayed') : responseHeaders(),
      ...(schema ? { content: content(components.schemaOf(schema, 'output'), settings) } : {}),
      ...(route.isStream ? { content: EVENT_STREAM } : {}),
    },
  ]);
  return {
    operationId: id,
    summary: route.summary,
    description: route.description,
    tags: [route.tag],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: route.bodyIsOptional !== true, content: content(body, settings) } }
      : {}),
    responses: { ...Object.fromEntries(responses), ...errorResponses(route, settings) },
  };
}

/** The response content of the event stream, as plain text, because OpenAPI cannot describe the events in a stream. */
const EVENT_STREAM = {
  'text/event-stream': {
    schema: {
      type: 'string',
      description: 'Each `data` is an Event. Send the last `id` as `Last-Event-ID` to continue.',
    },
    example:
      'id: cur_00WzE3NjQ4MzM2NDEwMDBd\ndata: {"id":"evt_01k9v3m8x7c5d2f0q4t6w1z8ab","type":"domain.active"}\n\n',
  },
};

function content(schema: JsonObject, settings: DocumentSettings) {
  const name = String(schema['$ref']).slice('#/components/schemas/'.length);
  return { 'application/json': { schema, example: examples(settings)[name] } };
}
