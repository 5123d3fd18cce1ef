import { codeOnWire, ERRORS, type ErrorCode } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type ApiRoute, isChange, readsBody, takesId, takesIdempotencyKey } from '../routes.ts';
import { errorExample } from './error-example.ts';
import type { DocumentSettings, JsonObject, SchemaComponents } from './openapi-components.ts';

/** Error codes that follow from a property of a route, such as that it reads a body. A route itself lists its other codes. */
const CODES_BY_ROUTE: readonly [ErrorCode, (route: ApiRoute) => boolean][] = [
  ['unauthorized', () => true],
  ['rate_limited', () => true],
  ['internal_error', () => true],
  ['service_unavailable', () => true],
  ['database_unavailable', isChange],
  ['account_suspended', isChange],
  ['payload_too_large', readsBody],
  ['invalid_request', ({ body }) => body !== undefined],
  [
    'validation_failed',
    (route) => route.body !== undefined || route.query !== undefined || takesIdempotencyKey(route),
  ],
  ['idempotency_key_in_use', takesIdempotencyKey],
  ['idempotency_key_reused', takesIdempotencyKey],
  ['not_found', takesId],
];

/** Returns the error codes that a route can respond with. */
export function errorCodesOf(route: ApiRoute): ErrorCode[] {
  const codes = CODES_BY_ROUTE.filter(([, applies]) => applies(route)).map(([code]) => code);
  return [...new Set([...codes, ...route.errors])];
}

/** Returns the error responses of a route by HTTP status, each with its possible codes. */
export function errorResponses(route: ApiRoute, settings: DocumentSettings): Record<string, JsonObject> {
  const possible = errorCodesOf(route);
  // The codes are in the order of `ERRORS`, which is sorted by status.
  const byStatus = Map.groupBy(
    ERROR_CODES.filter((code) => possible.includes(code)),
    (code) => ERRORS[code].status,
  );
  const responses = [...byStatus].map(([status, codes]) => [
    status,
    errorResponse(codes, errorHeaders(status, route), settings),
  ]);
  return Object.fromEntries(responses);
}

/** Returns `components.examples`: the envelope of every code, even if no route of this version uses it. */
export function errorExamples(settings: DocumentSettings): Record<string, JsonObject> {
  const examples = ERROR_CODES.map((code) => [
    codeOnWire(code, settings),
    { summary: ERRORS[code].message, value: errorExample(code, settings) },
  ]);
  return Object.fromEntries(examples);
}

/** Returns the headers of a response. `more` lists headers that only some responses have. */
export function responseHeaders(...more: ('Retry-After' | 'Idempotency-Replayed')[]): JsonObject {
  return headerRefs('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Ignored-Parameters', ...more);
}

function headerRefs(...headers: string[]): JsonObject {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The headers in `components.headers`. */
export const HEADERS: Record<string, JsonObject> = {
  'X-Request-Id': {
    description: 'Identifies this request. A replayed response has a new id.',
    schema: { type: 'string' },
    example: 'req_01k9v3m8x7c5d2f0q4t6w1z8ab',
  },
  'RateLimit-Policy': {
    description:
      'The limits of the key (`api`), of its app (`app`) and of its account (`account`): `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"api";q=100;w=1, "app";q=200;w=1, "account";q=400;w=1',
  },
  RateLimit: {
    description:
      'What is left of each limit: `r` requests. After `t` seconds, the whole limit is available again.',
    schema: { type: 'string' },
    example: '"api";r=87;t=2, "app";r=312;t=1, "account";r=700;t=1',
  },
  'X-Ignored-Parameters': {
    description:
      'Sent if some query parameters or body fields are not known. Lists their names, percent-encoded, at most ten.',
    schema: { type: 'string' },
    example: 'hostnam, orign',
  },
  'Retry-After': {
    description: 'Seconds to wait before you try again.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110).',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Idempotency-Replayed': {
    description: 'Sent if this is the stored response to an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
};

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** Statuses of final refusals. Like a success, a final refusal is stored under the idempotency key and replayed. */
const REPLAYED_STATUSES = [402, 404, 422];

function errorHeaders(status: number, route: ApiRoute): JsonObject {
  // Rate limits belong to a key, so a response to an unknown key has no headers about them.
  if (status === 401) return headerRefs('X-Request-Id', 'WWW-Authenticate');
  if (status === 409 || status === 429 || status === 503) return responseHeaders('Retry-After');
  const replayed = takesIdempotencyKey(route) && REPLAYED_STATUSES.includes(status);
  return replayed ? responseHeaders('Idempotency-Replayed') : responseHeaders();
}

function errorResponse(codes: ErrorCode[], headers: JsonObject, settings: DocumentSettings): JsonObject {
  const wireCodes = codes.map((code) => codeOnWire(code, settings));
  const lines = codes.map((code, index) => `- \`${wireCodes[index]}\`: ${ERRORS[code].message}`);
  return {
    description: lines.join('\n'),
    headers,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          wireCodes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}

/** Returns the path, query and header parameters of a route. */
export function parametersOf(route: ApiRoute, components: SchemaComponents): JsonObject[] {
  const parameters: JsonObject[] = [];
  if (takesId(route)) parameters.push(idParameter(route.tag));
  if (route.query) parameters.push(...queryParameters(components.schemaOf(route.query, 'input')));
  if (takesIdempotencyKey(route)) parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  if (route.isStream) parameters.push({ $ref: '#/components/parameters/LastEventId' });
  return parameters;
}

/** The parameters in `components.parameters`. */
export const PARAMETERS: Record<string, JsonObject> = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes the request safe to retry: for 24 hours, the same key with the same request returns the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: LIMITS.idempotency_key_chars_max },
    example: '6f1d8a52-0c1e-4f5b-9a53-2f0c6f6c1d77',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The last `id` that the stream sent, or the id of an event. The stream continues after it.',
    schema: { type: 'string', maxLength: 8192 },
    example: 'evt_01k9v3m8x7c5d2f0q4t6w1z8ab',
  },
};

const ID_PREFIXES = { Apps: 'app', Keys: 'key', Domains: 'dom', Events: 'evt' } as const;

function idParameter(tag: ApiRoute['tag']): JsonObject {
  const prefix = ID_PREFIXES[tag];
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `\`${prefix}_…\``,
    schema: { type: 'string' },
    example: `${prefix}_01k9v3m8x7c5d2f0q4t6w1z8ab`,
  };
}

const DESCRIPTIONS: Record<string, string> = {
  limit: 'Maximum number of items to return.',
  cursor: 'The `next_cursor` of the previous page.',
};

function queryParameters({ properties }: JsonObject): JsonObject[] {
  const shapes = Object.entries(properties as Record<string, JsonObject>);
  return shapes.map(([name, { description = DESCRIPTIONS[name], ...schema }]) =>
    name === 'metadata'
      ? METADATA_FILTER
      : { name, in: 'query', ...(description ? { description } : {}), schema },
  );
}

/** The filters by metadata. Only with the style `deepObject` can a generated client send filters with arbitrary names. */
const METADATA_FILTER: JsonObject = {
  name: 'metadata',
  in: 'query',
  description: `Returns only domains whose metadata has this string under this top-level key: \`metadata[team]=people\`, or \`metadata.team=people\`. At most ${LIMITS.metadata_filters_max} filters, in either form. All of them must match.`,
  style: 'deepObject',
  explode: true,
  schema: {
    type: 'object',
    additionalProperties: { type: 'string' },
    maxProperties: LIMITS.metadata_filters_max,
  },
  example: { team: 'people' },
};
