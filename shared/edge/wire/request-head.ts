import { METHODS } from 'node:http';
import { refusedTarget, splitTarget } from '../../core/edge/request-target.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import { EDGE_LIMITS } from '../edge-limits.ts';
import { connectionOptions, headerValues, isPlain, listHeaderMembers } from './raw-headers.ts';
import { type RequestHost, readHost } from './request-host.ts';

/**
 * Parses the head of a request, or refuses the request. A pure function that takes a flat header list, so that other implementations of the
 * edge can be tested with the same cases. Does not rely on the checks of Node's parser, which accepts `Transfer-Encoding: gzip, chunked`,
 * HTTP/1.0 with Transfer-Encoding, and a second Host.
 */
export function readRequestHead(head: RequestHead, options: ReadOptions): ReadRequest {
  const { method, rawHeaders } = head;
  if (head.protocol === 'h1' && head.httpVersion !== '1.1' && head.httpVersion !== '1.0') {
    return refused('http_version');
  }
  const { count, bytes } = sizeOf(head);
  if (count > (options.headersMax ?? EDGE_LIMITS.headersMax)) return refused('too_many_headers');
  if (bytes > (options.headerBytesMax ?? EDGE_LIMITS.header_bytes_max)) return refused('large_headers');
  if (!rawHeaders.every(isPlain)) return refused('control_characters');

  // Node's HTTP/1.1 parser already allows only these methods. Over HTTP/2, a method can be any string.
  if (!METHODS.includes(method)) return refused('unknown_method');
  // TRACE would return origin_headers and the origin's signature to the visitor.
  if (method === 'TRACE') return refused('trace');
  // Over HTTP/2, nghttp2 itself refuses a target in absolute form.
  const { authority, pathAndQuery } = splitTarget(head.target);
  const target = refusedTarget(method, pathAndQuery);
  if (target !== null) return refused(target);

  // A request for http: that arrives over TLS was meant for another server (RFC 9113 section 8.3.1).
  if (head.protocol === 'h2' && headerValues(rawHeaders, ':scheme').join() !== 'https') {
    return refused('scheme');
  }
  const host = hostOf(head, authority, options.localhostSuffix);
  if (typeof host === 'string') return refused(host);
  const body = framingOf(head);
  if (typeof body === 'object') return refused(body.refusal);
  // Node ends the response to a HEAD immediately, so a reset of the stream would not be noticed and a partial body would look complete.
  if (head.protocol === 'h2' && method === 'HEAD' && body !== 'none' && body !== 0) {
    return refused('head_with_body');
  }

  const upgrade = isWebSocketUpgrade(head);
  if (upgrade && body !== 'none' && body !== 0) return refused('upgrade_with_body');
  if (passesThrough(rawHeaders, options.names) >= PASSES_MAX) {
    return refused('loop');
  }
  return { ok: true, host, pathAndQuery, body, upgrade };
}

export interface RequestHead {
  /** The protocol. With `h2`, the length of the body is known from its frames, and the host is in `:authority`. */
  protocol: 'h1' | 'h2';
  httpVersion: string;
  method: string;
  target: string;
  /** Names and values, alternating, as in Node's `rawHeaders`. */
  rawHeaders: readonly string[];
  /** Only for HTTP/2: true if END_STREAM came with the head, so that there is no body. */
  endsHere?: boolean;
}

export interface ReadOptions {
  names: ServiceNames;
  /** True in the emulator, which accepts `<hostname>.localhost`. */
  localhostSuffix: boolean;
  headersMax?: number;
  headerBytesMax?: number;
}

/** The body's length in bytes, or `chunked` if it is unknown. */
export type BodyFraming = number | 'chunked' | 'none';

export type ReadRequest =
  | { ok: true; host: RequestHost; pathAndQuery: string; body: BodyFraming; upgrade: boolean }
  | { ok: false; status: 400 | 431 | 501 | 508; reason: string };

/**
 * Returns whether the request is a WebSocket handshake (RFC 6455 section 4.1). Other upgrades are ignored, as RFC 9110 section 7.8 allows.
 */
export function isWebSocketUpgrade(
  head: Pick<RequestHead, 'method' | 'httpVersion' | 'rawHeaders'>,
): boolean {
  return (
    head.method === 'GET' &&
    head.httpVersion === '1.1' &&
    headerValues(head.rawHeaders, 'upgrade').flatMap(listHeaderMembers).join() === 'websocket' &&
    connectionOptions(head.rawHeaders).includes('upgrade')
  );
}

/** The status and the page text of each refusal, for both implementations of the edge. */
export const REFUSALS = {
  http_version: { status: 400, reason: 'The HTTP version is not 1.0 or 1.1.' },
  too_many_headers: { status: 431, reason: 'The request has too many headers.' },
  large_headers: { status: 431, reason: 'The request headers are too large.' },
  control_characters: { status: 400, reason: 'A header contains control characters.' },
  unknown_method: { status: 501, reason: 'The method is not supported.' },
  trace: { status: 501, reason: 'TRACE is not supported.' },
  connect: { status: 400, reason: 'CONNECT is not supported.' },
  no_path: { status: 400, reason: 'The request target is not a path.' },
  target_characters: {
    status: 400,
    reason: 'The request target contains characters that are not allowed in a URL.',
  },
  scheme: { status: 400, reason: 'The scheme is not https.' },
  no_host: { status: 400, reason: 'The request has no Host header.' },
  several_hosts: { status: 400, reason: 'The request has more than one Host header.' },
  invalid_host: { status: 400, reason: 'The Host header is not a valid host.' },
  coding_in_http2: { status: 400, reason: 'Transfer-Encoding is not allowed in HTTP/2.' },
  coding_in_http1_0: { status: 400, reason: 'Transfer-Encoding is not allowed in HTTP/1.0.' },
  connection_header: { status: 400, reason: 'A header of a connection is not allowed in HTTP/2.' },
  not_chunked: { status: 400, reason: 'Transfer-Encoding is not exactly chunked.' },
  coding_and_length: {
    status: 400,
    reason: 'The request has both Transfer-Encoding and Content-Length.',
  },
  several_lengths: { status: 400, reason: 'The request has more than one Content-Length.' },
  invalid_length: { status: 400, reason: 'Content-Length is not a number.' },
  head_with_body: { status: 400, reason: 'A HEAD request must not have a body.' },
  upgrade_with_body: { status: 400, reason: 'An upgrade request must not have a body.' },
  loop: { status: 508, reason: 'The request passed through this service too many times.' },
} as const satisfies Record<string, Omit<Extract<ReadRequest, { ok: false }>, 'ok'>>;

export type RefusalName = keyof typeof REFUSALS;

/** Returns the name of this service in `CDN-Loop` (RFC 8586). */
export function loopToken(names: ServiceNames): string {
  return names.service_name.toLowerCase();
}

/**
 * Number of passes through this service that is treated as a loop. An origin may call another domain of the service, so fewer passes are
 * not a loop.
 */
export const PASSES_MAX = 3;

function passesThrough(rawHeaders: readonly string[], names: ServiceNames): number {
  return headerValues(rawHeaders, 'cdn-loop')
    .flatMap(listHeaderMembers)
    .filter((member) => member.split(';')[0]?.trim() === loopToken(names)).length;
}

/**
 * Returns the host, or the reason for a refusal. A request must have exactly one Host (RFC 9112 section 3.2). In HTTP/2, it may have both
 * `:authority` and Host if they are equal (RFC 9113 section 8.3.1).
 * @param authority the authority in the request target; if it is not null, it replaces the Host.
 */
function hostOf(
  head: RequestHead,
  authority: string | null,
  localhostSuffix: boolean,
): RequestHost | RefusalName {
  const hosts = headerValues(head.rawHeaders, 'host');
  if (head.protocol === 'h2') hosts.unshift(...headerValues(head.rawHeaders, ':authority'));
  const [first] = hosts;
  if (first === undefined) return 'no_host';
  const agree = head.protocol === 'h2' && hosts.every((host) => host.toLowerCase() === first.toLowerCase());
  if (hosts.length > 1 && !agree) return 'several_hosts';
  return readHost(authority ?? first, { localhostSuffix }) ?? 'invalid_host';
}

/** Returns the framing of the body. Refuses a request if two parsers could disagree about where its body ends (RFC 9112 section 6). */
function framingOf(head: RequestHead): BodyFraming | { refusal: RefusalName } {
  const lengths = headerValues(head.rawHeaders, 'content-length');
  const codings = headerValues(head.rawHeaders, 'transfer-encoding');
  const [length] = lengths;
  if (codings.length > 0) {
    if (head.protocol === 'h2') return { refusal: 'coding_in_http2' };
    if (head.httpVersion === '1.0') return { refusal: 'coding_in_http1_0' };
    if (codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked') {
      return { refusal: 'not_chunked' };
    }
    if (length !== undefined) return { refusal: 'coding_and_length' };
    return 'chunked';
  }
  if (length === undefined) return head.protocol === 'h2' && !head.endsHere ? 'chunked' : 'none';
  if (lengths.length > 1) return { refusal: 'several_lengths' };
  const bytes = /^[0-9]{1,16}$/.test(length) ? Number(length) : Number.NaN;
  return Number.isSafeInteger(bytes) ? bytes : { refusal: 'invalid_length' };
}

/**
 * Returns the number and size of headers, so that they are equal in HTTP/1.1 and HTTP/2. Counts all lines of Cookie as one, because HTTP/2
 * sends each cookie as a field of its own (RFC 9113 section 8.2.3).
 */
function sizeOf({ rawHeaders, protocol }: RequestHead): { count: number; bytes: number } {
  const cookies = Math.max(1, headerValues(rawHeaders, 'cookie').length);
  const pseudo = protocol === 'h2' ? REQUEST_LINE_FIELDS : 0;
  let bytes = (1 - cookies) * ('Cookie'.length - '; '.length);
  for (const part of rawHeaders) bytes += part.length;
  return { count: rawHeaders.length / 2 - pseudo + 1 - cookies, bytes };
}

/** The number of pseudo-headers that replace the request line: all but `:authority`. */
const REQUEST_LINE_FIELDS = 3;

function refused(name: RefusalName): ReadRequest {
  return { ok: false, ...REFUSALS[name] };
}
