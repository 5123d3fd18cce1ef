import { DEFAULT_SECRETS } from '../../emulator/state/default-account.ts';
import type { ConnectContent, ContentBlock } from '../../shared/connect/content/connect-content.ts';
import { EMBED_PATHS } from '../../shared/embed/embed-paths.ts';
import type { ConnectTokenResource, CreateConnectToken } from '../../shared/schema/api-key.ts';

/** Creates a connect token, as the server of an app does. */
export async function tokenFor(
  { url }: { url: string },
  domainId: string,
  body: Partial<CreateConnectToken> = {},
  key: string = DEFAULT_SECRETS.live_key,
): Promise<string> {
  const response = await fetch(`${url}/v1/domains/${domainId}/connect-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { token } = (await response.json()) as ConnectTokenResource;
  return token;
}

/** Requests the content (GET) or a check (POST) as the component does. */
export function readContent(
  { url }: { url: string },
  token: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
  method: 'GET' | 'POST' = 'GET',
): Promise<Response> {
  const path = method === 'GET' ? EMBED_PATHS.content : EMBED_PATHS.check;
  return fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
}

/** Returns the block of a kind. @throws Error if the content has no block of this kind. */
export function contentBlock<Kind extends ContentBlock['kind']>(
  content: unknown,
  kind: Kind,
): Extract<ContentBlock, { kind: Kind }> {
  const found = (content as ConnectContent).blocks.find((block) => block.kind === kind);
  if (found === undefined) throw new Error(`The content has no block ${kind}.`);
  return found as Extract<ContentBlock, { kind: Kind }>;
}

/** Returns the kinds of the content's blocks, in order. */
export function kindsOf(content: unknown): string[] {
  return (content as ConnectContent).blocks.map(({ kind }) => kind);
}
