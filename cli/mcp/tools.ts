import { type JsonObject, makeSchemaComponents } from '../../shared/schema/openapi/openapi-components.ts';
import { parametersOf } from '../../shared/schema/openapi/openapi-responses.ts';
import { type ApiRoute, type OperationId, ROUTES } from '../../shared/schema/routes.ts';

/** The levels of access that a user can permit. Each level includes the levels before it. */
export const ACCESS_LEVELS = ['read', 'write', 'delete'] as const;
export type Access = (typeof ACCESS_LEVELS)[number];

/** An MCP tool that sends the request of one API operation. */
export interface Tool {
  name: string;
  route: ApiRoute;
  access: Access;
  /** The arguments by name, in the order of the request: path, query, body. */
  inputs: ReadonlyMap<string, ToolInput>;
  required: readonly string[];
}

export interface ToolInput {
  in: 'path' | 'query' | 'body';
  /** The field's name in the API. */
  field: string;
  /** True if the field is a domain id. The tool then accepts a hostname too. */
  isDomain: boolean;
  schema: JsonObject;
}

/**
 * Operations that return a secret. There are no tools for them, because a tool result is sent to the provider of the language model and
 * stored in the conversation.
 */
const RETURNS_SECRET: readonly OperationId[] = ['createKey', 'rotateSigningSecret', 'createConnectToken'];

const ACCESS_OF_METHOD: Readonly<Record<ApiRoute['method'], Access>> = {
  GET: 'read',
  POST: 'write',
  PATCH: 'write',
  DELETE: 'delete',
};

/** Returns the tools that a level of access permits. Each API operation is a tool, except for operations that return secrets or streams. */
export function toolsFor(access: Access): Tool[] {
  const permitted = ACCESS_LEVELS.slice(0, ACCESS_LEVELS.indexOf(access) + 1);
  return Object.entries<ApiRoute>(ROUTES)
    .filter(([id, route]) => !route.isStream && !RETURNS_SECRET.includes(id as OperationId))
    .map(([id, route]) => toolOf(id, route))
    .filter((tool) => permitted.includes(tool.access));
}

/** Returns the JSON Schema of a tool's arguments. */
export function inputSchemaOf({ inputs, required }: Tool): JsonObject {
  const properties = Object.fromEntries(Array.from(inputs, ([name, { schema }]) => [name, schema]));
  return { type: 'object', properties, required, additionalProperties: false };
}

function toolOf(id: string, route: ApiRoute): Tool {
  const components = makeSchemaComponents();
  const parameters: Partial<Parameter>[] = parametersOf(route, components);
  const bodySchema = route.body === undefined ? {} : components.schemaOf(route.body, 'input');
  const { properties = {}, required = [] } = withoutRefs(bodySchema, components.schemas) as ObjectSchema;
  const fields = [
    // A header parameter is a `$ref` without `name`, so it is left out.
    ...parameters.filter((parameter): parameter is Parameter => parameter.name !== undefined),
    ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'body' as const, schema })),
  ];
  const inputs = new Map(fields.map((field) => inputOf(field, route, components.schemas)));
  const inPath = Array.from(inputs).filter(([, input]) => input.in === 'path');
  return {
    name: snakeCase(id),
    route,
    access: ACCESS_OF_METHOD[route.method],
    inputs,
    required: [...inPath.map(([name]) => name), ...required],
  };
}

function inputOf(
  { name, in: place, description, schema }: Parameter,
  { tag }: ApiRoute,
  schemas: Record<string, JsonObject>,
): [string, ToolInput] {
  const isDomain = name === 'domain_id' || (name === 'id' && tag === 'Domains');
  const argument = isDomain ? 'domain' : name === 'id' ? ID_ARGUMENTS[tag] : name;
  const described = { ...(withoutRefs(schema, schemas) as JsonObject), ...(description && { description }) };
  const own = isDomain ? DOMAIN : place === 'query' && name === 'metadata' ? METADATA : {};
  return [argument, { in: place, field: name, isDomain, schema: { ...described, ...own } }];
}

/** The parts of an OpenAPI parameter that a tool needs. */
interface Parameter {
  name: string;
  in: ToolInput['in'];
  description?: string;
  schema: JsonObject;
}

interface ObjectSchema {
  properties?: Record<string, JsonObject>;
  required?: string[];
}

const DOMAIN: JsonObject = {
  type: 'string',
  description: 'Hostname of the domain, such as careers.acme.com, or its id (`dom_…`)',
};

const METADATA: JsonObject = {
  description: 'Only domains whose metadata has each of these texts, by its top-level key',
};

const ID_ARGUMENTS: Readonly<Record<ApiRoute['tag'], string>> = {
  Apps: 'app_id',
  Keys: 'key_id',
  Domains: 'domain',
  Events: 'event_id',
};

/** Replaces each `$ref` with the schema that it refers to, because some clients cannot resolve references. */
function withoutRefs(value: unknown, schemas: Record<string, JsonObject>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutRefs(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as JsonObject;
  const named = typeof $ref === 'string' ? schemas[$ref.slice($ref.lastIndexOf('/') + 1)] : {};
  return Object.fromEntries(
    Object.entries({ ...named, ...rest }).map(([key, each]) => [key, withoutRefs(each, schemas)]),
  );
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
