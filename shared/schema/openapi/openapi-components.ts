import * as z from 'zod';
import type { Settings } from '../../core/settings.ts';
import { limitQuery } from '../fields.ts';

/** A part of the OpenAPI document, with JSON values. */
export type JsonObject = { [key: string]: unknown };

/** The settings that the document depends on, in addition to the route table. */
export type DocumentSettings = Pick<Settings, 'baseUrl' | 'docsUrl' | 'names'>;

/** Converts zod schemas to JSON Schema. Schemas with `meta({ id })` become components, and others refer to them. */
export interface SchemaComponents {
  /** Converts a schema: `input` for what a client sends, `output` for what it receives. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
  readonly schemas: Record<string, JsonObject>;
}

/** Creates an empty collection of components. @throws Error (from `schemaOf`) if two different schemas have the same id. */
export function makeSchemaComponents(): SchemaComponents {
  const schemas: Record<string, JsonObject> = {};
  const add = (id: string, schema: JsonObject) => {
    const known = schemas[id];
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two different schemas have the id "${id}"`);
    }
    schemas[id] = schema;
  };
  return {
    schemas,
    schemaOf(schema, io) {
      const made = z.toJSONSchema(schema, { io, override: simplify });
      const { $schema: _, $defs = {}, ...root } = withComponentRefs(made);
      for (const [id, shape] of Object.entries($defs)) add(id, shape);
      return root;
    },
  };
}

function simplify({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: unknown;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}) {
  // Clients must ignore unknown fields, because v1 may add some (`docs/api.md#versioning`). A closed object would refuse them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // `format` is enough. The pattern would have 300 characters, mostly for leap years.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  const { propertyNames } = jsonSchema;
  if (typeof propertyNames === 'object' && Object.keys(propertyNames).join() === 'type') {
    delete jsonSchema.propertyNames;
  }
  if (zodSchema === limitQuery) {
    // In the query string, the number is text. For that, zod keeps the text's pattern together with the number's limits, and drops the
    // default.
    delete jsonSchema.pattern;
    jsonSchema.default = limitQuery.parse(undefined);
  }
}

type WithDefs = JsonObject & { $defs?: Record<string, JsonObject> };

function withComponentRefs(schema: object): WithDefs {
  const moved = (key: string, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : value;
  return JSON.parse(JSON.stringify(schema, moved));
}
