import { type McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import { marked, type Tokens } from 'marked';
import { ApiError } from '../../shared/client/client-error.ts';
import { errorOfResponse, type Fetch, networkError } from '../../shared/client/request.ts';
import { createAnchors } from '../../shared/docs-site/markdown/text-of-tokens.ts';
import { CliError, usageError } from '../runtime/cli-error.ts';
import { fetchUntil } from '../settings/following-client.ts';
import { type Arguments, type McpOptions, onTarget, uncheckedSchema } from './tool-call.ts';

/** The maximum length of a page in characters: about 10 000 tokens. */
const CHARS_MAX = 40_000;
const DEADLINE_MS = 15_000;

/** The page that lists all other pages. */
export const DOCS_INDEX = 'llms.txt';

/**
 * Reads a page of the documentation from the server as Markdown. The page fits the server's version and contains the server's names and
 * addresses.
 * @param page the name of the page, such as `webhooks`, `reasons/dns_proxied` or `domains#checks`, or its URL.
 * @throws CliError, ApiError, NetworkError
 */
export async function readDocs(page: string, baseUrl: string, fetch: Fetch): Promise<string> {
  const [name, anchor] = pageOf(page);
  const file = name === DOCS_INDEX ? name : `${name}.md`;
  const init = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const;
  const markdown = await read(`${baseUrl}/docs/${file}`);
  if (anchor !== undefined) return sectionOf(markdown, anchor, name);
  if (markdown.length <= CHARS_MAX) return markdown;
  const list = sectionsOf(markdown).map(({ id, depth }) => `${'  '.repeat(depth - 1)}- ${name}#${id}`);
  return `The page ${name} is too long to read at once. Its sections are:\n\n${list.join('\n')}\n`;

  async function read(url: string): Promise<string> {
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) });
      const text = await response.text();
      if (response.ok) return text;
      if (response.status === 404) throw noPage(name);
      throw errorOfResponse(response, text, baseUrl);
    } catch (error) {
      throw error instanceof CliError || error instanceof ApiError ? error : networkError(error, baseUrl);
    }
  }
}

function pageOf(page: string): [name: string, anchor: string | undefined] {
  const name = page.replace(/^(?:https?:\/\/[^/]+)?(?:\/.*)?\/docs\//, '').replace(/\.md(?=#|$)/, '');
  const [, file, anchor] = /^([\w-]+(?:\/[\w-]+)?|llms\.txt)(?:#([\p{L}\p{N}_-]+))?$/u.exec(name) ?? [];
  if (file === undefined)
    throw usageError(
      'That is not the name of a page.',
      'Call read_docs without page to see the names of all pages.',
    );
  return [file, anchor];
}

function noPage(name: string): CliError {
  return new CliError('not_found', `This server's documentation has no page ${name}.`, {
    fix: 'Call read_docs without page to see the names of all pages.',
  });
}

/** Returns the section of a heading, with its subsections. */
function sectionOf(markdown: string, anchor: string, page: string): string {
  const sections = sectionsOf(markdown);
  const start = sections.findIndex(({ id }) => id === anchor);
  const first = sections[start];
  if (first === undefined) {
    const known = sections.map(({ id }) => id).join(', ');
    throw new CliError('not_found', `The page ${page} has no section ${anchor}.`, {
      fix: `Its sections are ${known}.`,
    });
  }
  const after = sections.slice(start + 1);
  const end = after.findIndex(({ depth }) => depth <= first.depth);
  const text = [first, ...(end === -1 ? after : after.slice(0, end))].map((section) => section.text).join('');
  return text.length <= CHARS_MAX ? text : `${text.slice(0, CHARS_MAX)}\n\n… (the section goes on)`;
}

/** Splits a page at its headings. */
function sectionsOf(markdown: string): { id: string; depth: number; text: string }[] {
  const anchorOf = createAnchors();
  const sections: { id: string; depth: number; text: string }[] = [];
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading') {
      const { text, depth } = token as Tokens.Heading;
      sections.push({ id: anchorOf(text), depth, text: '' });
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text += token.raw;
  }
  return sections;
}

/** Adds the documentation to the server: as a tool that models call, and as resources that users attach to a conversation. */
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
