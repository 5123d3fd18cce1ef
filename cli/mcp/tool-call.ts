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
  /** Returns the server and the API key for a tool call. */
  target: () => Promise<CliSettings>;
  world: World;
}

/**
 * Runs `act` with the current server and key. If it throws, returns an error result that names where the server's address and the key came
 * from.
 */
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

/** The unchecked arguments of a tool call. */
export type Arguments = Record<string, unknown>;

/**
 * Wraps a JSON Schema as the MCP SDK requires, with a validator that accepts everything. The tools check their arguments themselves, so
 * that their errors have our format.
 */
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
