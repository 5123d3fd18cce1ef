import { HTTPResponse } from 'h3';
import { DashboardError } from '../core/accounts/dashboard-error.ts';
import { type ResponseHeaders, respondError } from '../http/handle-route.ts';
import type { Context } from '../operations/context.ts';

/** The headers of every response of the dashboard's API. They forbid caching, and access by other sites. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Responds with JSON, or without a body if the given value is null. */
export function respondJson(status: number, body: unknown, cookies: readonly string[] = []): HTTPResponse {
  const headers = withCookies(new Headers(HEADERS), cookies);
  if (body === null) return new HTTPResponse(null, { status: 204, headers });
  headers.set('content-type', 'application/json');
  return new HTTPResponse(JSON.stringify(body), { status, headers });
}

/** Responds with a file that the browser saves. */
export function respondFile(name: string, contentType: string, text: string): HTTPResponse {
  const headers = new Headers(HEADERS);
  headers.set('content-type', contentType);
  headers.set('content-disposition', `attachment; filename="${name}"`);
  return new HTTPResponse(text, { headers });
}

/** Responds with an error in the format of the API, including the error codes that only the dashboard has. */
export function respondFailure(context: Context, thrown: unknown): HTTPResponse {
  const requestId = context.ids('req');
  const headers: ResponseHeaders = { ...HEADERS, 'x-request-id': requestId };
  if (!(thrown instanceof DashboardError)) return respondError(context, thrown, headers, requestId);
  const { code, message, fix, status, status_detail } = thrown;
  const docs = `${context.settings.docsUrl}/dashboard#errors`;
  headers['content-type'] = 'application/json';
  const error = { code, message, fix, docs, ...(status_detail && { status_detail }) };
  return new HTTPResponse(JSON.stringify({ error }), { status, headers });
}

function withCookies(headers: Headers, cookies: readonly string[]): Headers {
  for (const each of cookies) headers.append('set-cookie', each);
  return headers;
}
