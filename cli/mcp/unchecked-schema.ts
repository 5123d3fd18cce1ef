import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../shared/schema/openapi/openapi-components.ts';

/** The arguments of a tool call, before any check. */
export type Arguments = Record<string, unknown>;

/** Returns a JSON Schema in the form that the SDK takes, without checks. The tools check their arguments themselves, with errors in our form. */
export function uncheckedSchema(schema: JsonObject): StandardSchemaWithJSON<Arguments> {
  return {
    '~standard': {
      version: 1,
      vendor: 'nameplate',
      validate: (value) => ({ value: value as Arguments }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
