import { STATUS_CODES } from 'node:http';
import { html } from '../core/text/markup.ts';
import { page } from '../core/text/page.ts';
import { OWN_PAGE_HEADERS } from './own-page-headers.ts';
import { headerLines } from './wire/raw-headers.ts';

/** The edge's own answers: none says anything of the origin, none repeats anything of the request. */
export interface EdgeResponse {
  status: number;
  /** Names and values by turns. */
  headers: string[];
  body: string;
}

/** @param reason a sentence of the edge's own that says more exactly what is wrong with the request. */
export function edgeResponse(status: EdgeResponseStatus, request_id: string, reason?: string): EdgeResponse {
  const [title, text] = TEXTS[status];
  const response = buildResponse(status, title, reason ?? text, request_id);
  if (status === 503) response.headers.push('Retry-After', '60');
  return response;
}

/** RFC 9110 section 15.4.9: the method and the body stay what they were. */
export function redirectResponse(location: string, request_id: string): EdgeResponse {
  const response = buildResponse(308, 'Moved', 'This page has moved to another address.', request_id);
  response.headers.push('Location', location);
  return response;
}

/** The answer's bytes, for a connection on which the parser has given up. */
export function responseBytes({ status, headers, body }: EdgeResponse): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${headerLines(headers)}\r\n${body}`;
}

export type EdgeResponseStatus = keyof typeof TEXTS;

const TEXTS = {
  400: ['Bad request', 'This request could not be read.'],
  404: ['No such domain', 'No domain of this name is connected here.'],
  408: ['Request timeout', 'The request did not arrive in time.'],
  421: ['Misdirected request', 'This connection was made for another domain.'],
  431: ['Request headers too large', 'The headers of the request are too large.'],
  451: ['Domain held', 'This domain is held for review and is not being served.'],
  501: ['Not supported', 'The method of the request is not supported.'],
  502: ['Bad gateway', 'The site behind this domain could not be reached, or gave no valid response.'],
  503: ['Unavailable', 'This domain cannot be served at the moment. Try again in a minute.'],
  504: ['Gateway timeout', 'The site behind this domain did not respond in time.'],
  508: ['Loop detected', 'The site behind this domain leads back to this domain.'],
} as const satisfies Record<number, readonly [title: string, text: string]>;

function buildResponse(status: number, title: string, text: string, request_id: string): EdgeResponse {
  const main = html`<h1>${title}</h1>\n<p>${text}</p>\n<p><small>${status} · ${request_id}</small></p>`;
  const body = page({ title, main });
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: [...OWN_PAGE_HEADERS, 'X-Request-Id', request_id, 'Content-Length', length],
    body,
  };
}
