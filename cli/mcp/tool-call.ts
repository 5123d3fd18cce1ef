import type { CallToolResult, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../shared/schema/openapi/openapi-components.ts';
import { explainApiError } from '../arguments/explain-api-error.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { errorResult } from './tool-result.ts';
import type { Access } from './tools.ts';

export interface McpOptions {
  access: Access;
  version: string;
  /** Returns the server and the key for a call. */
  target: () => Promise<CliSettings>;
  world: World;
}

/** Returns the result of an action on the current target, or its error with a message that names where the address and the key came from. */
export async function onTarget(
  { target, world }: McpOptions,
  act: (settings: CliSettings) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  let settings: CliSettings | null = null;
  try {
    settings = await target();
    return await act(settings);
  } catch (error) {
    return errorResult(await explainApiError(error, settings, world));
  }
}

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
