import { ERRORS, type ErrorCode } from '../../core/errors.ts';
import { isChange, type Route, readsBody, takesId, takesIdempotencyKey } from '../routes.ts';
import { codeOnWire, errorExample } from './error-example.ts';
import type { DocumentSettings, JsonObject } from './openapi-components.ts';

/** The codes that come with what a route reads and does. The others are named by the route itself. */
const CODES_BY_ROUTE: readonly [ErrorCode, (route: Route) => boolean][] = [
  ['unauthorized', () => true],
  ['rate_limited', () => true],
  ['internal_error', () => true],
  ['service_unavailable', () => true],
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

/** The codes that a route can respond with. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = CODES_BY_ROUTE.filter(([, applies]) => applies(route)).map(([code]) => code);
  return [...new Set([...codes, ...route.errors])];
}

/** The error answers of a route by HTTP status, each with the codes that it can carry. */
export function errorAnswers(route: Route, settings: DocumentSettings): Record<string, JsonObject> {
  const possible = errorCodesOf(route);
  // In the table's order, which is that of the statuses.
  const by_status = Map.groupBy(
    ERROR_CODES.filter((code) => possible.includes(code)),
    (code) => ERRORS[code].status,
  );
  const answers = [...by_status].map(([status, codes]) => [
    status,
    errorAnswer(codes, errorHeaders(status, route), settings),
  ]);
  return Object.fromEntries(answers);
}

/** `components.examples`: the envelope of every code, whether or not a route of this version answers it. */
export function errorExamples(settings: DocumentSettings): Record<string, JsonObject> {
  const examples = ERROR_CODES.map((code) => [
    codeOnWire(code, settings),
    { summary: ERRORS[code].message, value: errorExample(code, settings) },
  ]);
  return Object.fromEntries(examples);
}

/** The headers of every answer; those named come with some answers only. */
export function answerHeaders(...more: ('Retry-After' | 'Idempotency-Replayed')[]): JsonObject {
  return headerRefs('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-Ignored-Parameters', ...more);
}

function headerRefs(...headers: string[]): JsonObject {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** `components.headers`. */
export const HEADERS: Record<string, JsonObject> = {
  'X-Request-Id': {
    description: 'Names this request; a replayed answer has a new one.',
    schema: { type: 'string' },
    example: 'req_01k9v3m8x7c5d2f0q4t6w1z8ab',
  },
  'RateLimit-Policy': {
    description:
      'The limits of the key (`api`) and of its app (`app`): `q` requests in `w` seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"api";q=100;w=1, "app";q=200;w=1',
  },
  RateLimit: {
    description: 'The rest of each limit: `r` requests, and `t` seconds until it is full again.',
    schema: { type: 'string' },
    example: '"api";r=87;t=2, "app";r=312;t=1',
  },
  'X-Ignored-Parameters': {
    description:
      'There when query parameters or body fields are not known: their names, percent-encoded, at most ten.',
    schema: { type: 'string' },
    example: 'hostnam, orign',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 0 },
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110).',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Idempotency-Replayed': {
    description: 'There when the answer is a stored one, sent again for a known Idempotency-Key.',
    schema: { type: 'string', const: 'true' },
  },
};

const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[];

/** What the store of idempotent answers keeps beside successes: decided refusals. */
const REPLAYED_STATUSES = [402, 404, 422];

function errorHeaders(status: number, route: Route): JsonObject {
  // The limit belongs to a key.
  if (status === 401) return headerRefs('X-Request-Id', 'WWW-Authenticate');
  if (status === 409 || status === 429 || status === 503) return answerHeaders('Retry-After');
  const replayed = takesIdempotencyKey(route) && REPLAYED_STATUSES.includes(status);
  return replayed ? answerHeaders('Idempotency-Replayed') : answerHeaders();
}

function errorAnswer(codes: ErrorCode[], headers: JsonObject, settings: DocumentSettings): JsonObject {
  const wire_codes = codes.map((code) => codeOnWire(code, settings));
  const lines = codes.map((code, index) => `- \`${wire_codes[index]}\`: ${ERRORS[code].message}`);
  return {
    description: lines.join('\n'),
    headers,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          wire_codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      },
    },
  };
}
