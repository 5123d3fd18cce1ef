import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { createClient } from '../../shared/client/client.ts';
import { timer } from '../../shared/client/request.ts';
import { fetchUntil } from '../settings/following-client.ts';
import type { CliSettings } from '../settings/settings.ts';
import { addDocs } from './add-docs.ts';
import { instructionsFor } from './instructions.ts';
import { type McpOptions, onTarget } from './on-target.ts';
import { requestOf } from './tool-request.ts';
import { responseResult } from './tool-result.ts';
import { inputSchemaOf, type Tool, toolsFor } from './tools.ts';
import { type Arguments, uncheckedSchema } from './unchecked-schema.ts';

/** Creates the server of one connection: a tool for each permitted operation, and the documentation as a tool and as resources. */
export function createMcpServer(options: McpOptions): McpServer {
  const { access, version } = options;
  const server = new McpServer(
    { name: 'nameplate', title: 'Nameplate', version },
    { instructions: instructionsFor(access) },
  );
  for (const tool of toolsFor(access)) {
    const { name, route } = tool;
    server.registerTool(
      name,
      {
        title: route.summary,
        description: route.description,
        inputSchema: uncheckedSchema(inputSchemaOf(tool)),
        annotations: annotationsOf(tool),
      },
      (given, { mcpReq: { signal } }) =>
        onTarget(options, (settings) => callTool(tool, given, settings, signal)),
    );
  }
  addDocs(server, options);
  return server;
}

/** Sends the request of a tool call. */
async function callTool(
  tool: Tool,
  given: Arguments,
  settings: CliSettings,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { baseUrl, apiKey } = settings;
  const client = createClient({
    baseUrl,
    apiKey,
    fetch: fetchUntil(signal),
    retries: 2,
    maxWaitMs: 3_000,
    sleep: (waitMs) => timer(waitMs, signal),
  });
  return responseResult(await client.request(await requestOf(tool, given, client)), settings);
}

/** Hints for clients, which may ask the user before a tool that changes something. A PATCH overwrites the earlier values. */
function annotationsOf({ access, route: { method } }: Tool) {
  return {
    readOnlyHint: access === 'read',
    destructiveHint: method === 'PATCH' || method === 'DELETE',
    idempotentHint: method !== 'POST',
    openWorldHint: true,
  };
}
