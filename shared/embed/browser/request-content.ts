import type { CheckResponse, ConnectContent } from '../../connect/content/connect-content.ts';
import { EMBED_PATHS } from '../embed-paths.ts';
import type { ConnectErrorDetail } from './connect-events.ts';

/** The parameters of a request for content: the API, the token, and the visitor's choices. */
export interface ContentAddress {
  baseUrl: string;
  token: string;
  /** The language (BCP 47); empty if the visitor's browser decides. */
  lang: string;
  /** The id of a DNS provider that the visitor has chosen; empty if the server decides. */
  provider: string;
}

export type ReceivedContent<T> =
  | { ok: true; body: T | null }
  | { ok: false; problem: ConnectErrorDetail; waitMs: number };

/** Requests the content. The body is null if the content is unchanged since `revision`. */
export function requestContent(
  address: ContentAddress,
  revision: string,
): Promise<ReceivedContent<ConnectContent>> {
  const { provider } = address;
  return request('GET', EMBED_PATHS.content, address, { provider, revision });
}

export function postCheck(address: ContentAddress): Promise<ReceivedContent<CheckResponse>> {
  return request('POST', EMBED_PATHS.check, address, {});
}

const TIMEOUT_MS = 20_000;

async function request<T>(
  method: string,
  path: string,
  { baseUrl, token, lang }: ContentAddress,
  query: Record<string, string>,
): Promise<ReceivedContent<T>> {
  const fields = Object.entries({ lang, ...query }).filter(([, value]) => value !== '');
  const url = `${baseUrl.replace(/\/(v1\/?)?$/, '')}${path}?${new URLSearchParams(fields)}`;
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 204) return { ok: true, body: null };
    const body = await response.json();
    if (response.ok) return { ok: true, body };
    const { code, message } = body.error;
    const waitMs = Number(response.headers.get('retry-after') ?? 0) * 1000;
    return { ok: false, problem: { code, message }, waitMs };
  } catch (error) {
    return { ok: false, problem: { code: 'network_error', message: String(error) }, waitMs: 0 };
  }
}
