import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import { usageError } from '../runtime/cli-error.ts';
import { fetchUntil } from '../settings/following-client.ts';
import { DOCS_INDEX, readDocs } from './docs.ts';
import { type McpOptions, onTarget } from './on-target.ts';
import { type Arguments, uncheckedSchema } from './unchecked-schema.ts';

/** Adds the documentation as a tool, which models call, and as resources, which users attach. */
export function addDocs(server: McpServer, options: McpOptions): void {
  const page = {
    type: 'string',
    description:
      'Name of a page, such as webhooks, errors/rate_limited, reasons/dns_proxied or domains#checks, or its address. Without it, the list of all pages',
  };
  server.registerTool(
    'read_docs',
    {
      title: 'Read the documentation',
      description:
        'Returns a page of the documentation of this server as Markdown: guides, the API reference, and a page for each error code and status reason with its causes and the fix.',
      inputSchema: uncheckedSchema({ type: 'object', properties: { page }, additionalProperties: false }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (given, { mcpReq: { signal } }) =>
      onTarget(options, async ({ baseUrl }) => {
        const text = await readDocs(pageIn(given), baseUrl, fetchUntil(signal));
        return { content: [{ type: 'text', text }] };
      }),
  );
  const resource = { mimeType: 'text/markdown' };
  async function contentsOf(uri: URL, name: string, { mcpReq: { signal } }: ServerContext) {
    const { baseUrl } = await options.target();
    const text = await readDocs(name, baseUrl, fetchUntil(signal));
    return { contents: [{ uri: uri.href, ...resource, text }] };
  }
  server.registerResource(
    'documentation',
    `nameplate://docs/${DOCS_INDEX}`,
    { ...resource, title: 'Documentation', description: 'The list of all pages' },
    (uri, context) => contentsOf(uri, DOCS_INDEX, context),
  );
  server.registerResource(
    'page',
    new ResourceTemplate('nameplate://docs/{+page}', { list: undefined }),
    {
      ...resource,
      title: 'Page of the documentation',
      description: 'Such as webhooks or reasons/dns_proxied',
    },
    (uri, { page: name }, context) => contentsOf(uri, String(name), context),
  );
}

function pageIn({ page = DOCS_INDEX, ...others }: Arguments): string {
  const isPage = typeof page === 'string' && Object.keys(others).length === 0;
  if (!isPage)
    throw usageError('read_docs takes one argument, page, which is text.', 'Give the name of a page.');
  return page;
}
