import { LIMITS } from '../../core/limits.ts';
import { type ApiRoute, takesId, takesIdempotencyKey } from '../routes.ts';
import type { JsonObject, SchemaComponents } from './openapi-components.ts';

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

/** Uses the style `deepObject`, because in no other style can a generated client send filters with arbitrary names. */
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
