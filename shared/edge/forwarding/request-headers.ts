import type { EdgeRoute } from '../../core/edge/edge-route.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import { signOriginRequest } from '../../core/webhooks/signature.ts';
import { headerPairs, headerValues } from '../wire/raw-headers.ts';
import { type BodyFraming, loopToken, type RequestHead } from '../wire/request-head.ts';
import { hopByHop } from './response-headers.ts';

/**
 * Returns the headers for the origin, as a flat list of names and values. Removes the headers that a visitor must not set, then adds the
 * headers of `docs/api.md#the-service` and the signature. Adds them last, so that a visitor's `Connection: X-Service-Signature` cannot
 * remove them. A pure function.
 */
export function forwardedHeaders(request: ForwardedRequest, route: EdgeRoute, names: ServiceNames): string[] {
  const { rawHeaders, host, timestampS } = request;
  const originHeaders = Object.entries(route.origin_headers ?? {});
  const remade = new Set<string>(REMADE);
  for (const [name] of originHeaders) remade.add(name.toLowerCase());
  const dropped = hopByHop(rawHeaders);
  const prefix = names.origin_header_prefix.toLowerCase();

  const headers = ['Host', host];
  const cookies: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    const lower = name.toLowerCase();
    const folded = fold(lower);
    if (dropped.has(lower) || dropped.has(folded) || remade.has(folded)) continue;
    if (lower.includes('_') || lower.startsWith(':')) continue;
    if (folded.startsWith(prefix) || folded.startsWith('x-forwarded')) continue;
    if (request.protocol === 'h2' && lower === 'cookie') cookies.push(value);
    else headers.push(name, value);
  }
  // HTTP/2 may split a cookie into several headers (RFC 9113 section 8.2.3).
  if (cookies.length > 0) headers.push('Cookie', cookies.join('; '));
  if (typeof request.body === 'number') headers.push('Content-Length', String(request.body));
  headers.push('CDN-Loop', [...headerValues(rawHeaders, 'cdn-loop'), loopToken(names)].join(', '));

  const { method, pathAndQuery } = request;
  const { domain_id, signing_secret: secret } = route;
  headers.push(
    ...headersOfRoute(route, names),
    'X-Forwarded-Proto',
    request.scheme,
    // Adds X-Forwarded-For, because the origin has no other way to learn the visitor's address. It contains only the visitor's own address,
    // because the visitor's X-Forwarded-For was removed. X-Forwarded-Host would only repeat Host.
    'X-Forwarded-For',
    request.clientAddress,
    names.timestamp_header,
    String(timestampS),
    names.origin_signature_header,
    signOriginRequest({ secret, timestampS, method, host, pathAndQuery, domain_id }),
  );
  return headers;
}

/**
 * Returns the headers that are the same for every request of a route, as text. A line break precedes each header, so that another program
 * can add this text to its own headers.
 */
export function constantHeaders(route: EdgeRoute, names: ServiceNames): string {
  return headerPairs(headersOfRoute(route, names))
    .map(([name, value]) => `\r\n${name}: ${value}`)
    .join('');
}

function headersOfRoute({ origin_headers, domain_id, app_id }: EdgeRoute, names: ServiceNames): string[] {
  return [
    ...Object.entries(origin_headers ?? {}).flat(),
    names.domain_id_header,
    domain_id,
    names.app_id_header,
    app_id,
  ];
}

export interface ForwardedRequest {
  protocol: RequestHead['protocol'];
  method: string;
  /** The Host header that is sent to the origin, and is part of the signed text. */
  host: string;
  pathAndQuery: string;
  rawHeaders: readonly string[];
  body: BodyFraming;
  scheme: 'http' | 'https';
  /** The visitor's address, without brackets. */
  clientAddress: string;
  /** The time in Unix seconds, from the wall clock, because origins compare it with their own clock. */
  timestampS: number;
}

/** Headers of the visitor that are removed, because the edge sets them or, like `Expect`, handles them itself. */
export const REMADE = ['host', 'content-length', 'expect', 'forwarded', 'cdn-loop'] as const;

/**
 * Normalizes a header name for comparison: every character but letters and digits becomes a hyphen. CGI and its successors map
 * `X.Service!Signature` to the same variable as `X-Service-Signature`, so both must be removed.
 */
function fold(lowercase: string): string {
  return /[^a-z0-9-]/.test(lowercase) ? lowercase.replace(/[^a-z0-9]/g, '-') : lowercase;
}
