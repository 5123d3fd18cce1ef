import * as z from 'zod';
import type { Settings } from '../../core/settings.ts';
import { limitQuery } from '../fields.ts';

/** A part of the OpenAPI document, with JSON values. */
export type JsonObject = { [key: string]: unknown };

/** The settings that the OpenAPI document depends on, in addition to the route table. */
export type DocumentSettings = Pick<Settings, 'baseUrl' | 'docsUrl' | 'names'>;

/** Converts zod schemas to JSON Schema. Schemas with `meta({ id })` become components, to which other schemas refer. */
export interface SchemaComponents {
  /** Converts a schema. `input` is for data that a client sends, `output` for data that a client receives. */
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
  // Clients must ignore unknown fields, because v1 may add fields (`docs/api.md#versioning`). A schema with `additionalProperties: false`
  // would refuse them.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // `format` is enough for a time. The pattern would have 300 characters, mostly for leap years.
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  const { propertyNames } = jsonSchema;
  if (typeof propertyNames === 'object' && Object.keys(propertyNames).join() === 'type') {
    delete jsonSchema.propertyNames;
  }
  if (zodSchema === limitQuery) {
    // In a query string, `limit` is text that becomes a number. Zod would describe it with the text's pattern and without the default.
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
