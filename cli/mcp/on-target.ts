import type { CallToolResult } from '@modelcontextprotocol/server';
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
