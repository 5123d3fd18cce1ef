import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BIN, COMPILE_CACHE, emptyHome } from '../bin-process.ts';
import { emptyFolder } from '../run-cli.ts';

/** A client of the official MCP SDK that talks to the built `nameplate mcp` over standard input and output. */
export interface McpClient extends AsyncDisposable {
  client: Client;
  /** Calls a tool and returns the result that a model would get. Checks that the text and the structured content are equal. */
  call(name: string, given?: Record<string, unknown>): Promise<Seen>;
  /** Returns what the process has written to stderr. */
  stderr(): string;
}

export interface Seen {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of the document.
  document: any;
}

/** @param mode `legacy` opens the connection like a client that is older than the protocol version 2026-07-28. */
export async function startMcp(
  flags: string[],
  env: Record<string, string>,
  mode: 'legacy' | 'auto' = 'legacy',
): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp', ...flags],
    env: { PATH: process.env['PATH'] ?? '', ...COMPILE_CACHE, ...emptyHome(), ...env },
    cwd: emptyFolder(),
    stderr: 'pipe',
  });
  let text = '';
  transport.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  await client.connect(transport);
  return {
    client,
    stderr: () => text,
    async call(name, given = {}) {
      const result = await client.callTool({ name, arguments: given });
      return { isError: result.isError === true, document: documentOf(result) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function documentOf({ content, structuredContent }: CallToolResult): unknown {
  const [block] = content;
  if (content.length !== 1 || block?.type !== 'text') throw new Error('a result must be one text');
  if (structuredContent === undefined) return block.text;
  if (block.text !== JSON.stringify(structuredContent)) throw new Error('the text differs from the document');
  return structuredContent;
}
