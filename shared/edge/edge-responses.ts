import { STATUS_CODES } from 'node:http';
import { html } from '../core/text/markup.ts';
import { page } from '../core/text/page.ts';
import { OWN_PAGE_HEADERS } from './own-pages.ts';
import { headerLines } from './wire/raw-headers.ts';

/** A response that the edge itself sends. It reveals nothing about the origin and repeats nothing from the request. */
export interface EdgeResponse {
  status: number;
  /** Names and values, alternating. */
  headers: string[];
  body: string;
}

/** Builds an error response of the edge. @param reason replaces the default text with a more precise one. */
export function edgeResponse(status: EdgeResponseStatus, requestId: string, reason?: string): EdgeResponse {
  const [title, text] = TEXTS[status];
  const response = buildResponse(status, title, reason ?? text, requestId);
  if (status === 503) response.headers.push('Retry-After', '60');
  return response;
}

/** Builds a 308 redirect. The client repeats the request with the same method and body (RFC 9110 section 15.4.9). */
export function redirectResponse(location: string, requestId: string): EdgeResponse {
  const response = buildResponse(308, ...MOVED, requestId);
  response.headers.push('Location', location);
  return response;
}

/** Load balancers send health checks to this path at the visitors' port. The response is 200, or 503 with the reason `notReady`. */
export const HEALTH = { path: '/readyz/edge', notReady: 'This edge is not ready for visitors.' };

/** Builds the response to a health check. */
export function healthResponse(isReady: boolean, requestId: string): EdgeResponse {
  return isReady ? edgeResponse(200, requestId) : edgeResponse(503, requestId, HEALTH.notReady);
}

/** Serializes a response, for a connection that Node's parser no longer reads. */
export function responseBytes({ status, headers, body }: EdgeResponse): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${headerLines(headers)}\r\n${body}`;
}

/** A page of the edge, split at the two places where the reason and the request id are inserted. */
export interface ResponseTemplate {
  status: number;
  before: string;
  /** The default reason. */
  text: string;
  after: string;
  rest: string;
}

/** Returns templates of the edge's pages, for a program that inserts the reason and the request id itself. */
export function responseTemplates(): ResponseTemplate[] {
  const templateOf = (status: number, [title, text]: readonly [string, string]): ResponseTemplate => {
    const { body } = buildResponse(status, title, CUT, CUT);
    const [before = '', after = '', rest = ''] = body.split(CUT);
    return { status, before, text, after, rest };
  };
  return [
    templateOf(308, MOVED),
    ...Object.entries(TEXTS).map(([status, texts]) => templateOf(Number(status), texts)),
  ];
}

/** A placeholder that occurs in no page, at which a page is split. */
const CUT = '\u0001';

export type EdgeResponseStatus = keyof typeof TEXTS;

const MOVED = ['Moved', 'This page has moved to another address.'] as const;

const TEXTS = {
  200: ['Ready', 'This edge is ready for visitors.'],
  400: ['Bad request', 'The server could not read this request.'],
  404: ['No such domain', 'This domain is not connected here.'],
  408: ['Request timeout', 'The request did not arrive in time.'],
  421: ['Misdirected request', 'This connection was opened for another domain.'],
  431: ['Request headers too large', 'The request headers are too large.'],
  451: ['Domain held', 'This domain is held for review and is not served.'],
  501: ['Not supported', 'The request method is not supported.'],
  502: ['Bad gateway', 'The site behind this domain could not be reached or sent an invalid response.'],
  503: ['Unavailable', 'This domain is temporarily unavailable. Try again in a minute.'],
  504: ['Gateway timeout', 'The site behind this domain did not respond in time.'],
  508: ['Loop detected', 'The site behind this domain sends requests back to this domain.'],
} as const satisfies Record<number, readonly [title: string, text: string]>;

function buildResponse(status: number, title: string, text: string, requestId: string): EdgeResponse {
  const main = html`<h1>${title}</h1>\n<p>${text}</p>\n<p><small>${status} · ${requestId}</small></p>`;
  const body = page({ title, main });
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: [...OWN_PAGE_HEADERS, 'X-Request-Id', requestId, 'Content-Length', length],
    body,
  };
}
