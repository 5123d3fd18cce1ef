import type { EdgeRoute } from '../../core/edge/edge-route.ts';
import type { ServiceNames } from '../../core/service-name.ts';
import { signOriginRequest } from '../../core/webhooks/signature.ts';
import { headerValues } from '../wire/raw-headers.ts';
import { type BodyFraming, loopToken, type RequestHead } from '../wire/request-head.ts';
import { hopByHop } from './hop-by-hop.ts';

/**
 * What the origin gets: the visitor's headers without those it must not be able to set, then ours (section 1), signed. Pure; a flat
 * list of names and values. Ours are added last, so that no `Connection: X-Service-Signature` can take them away.
 */
export function forwardedHeaders(request: ForwardedRequest, route: EdgeRoute, names: ServiceNames): string[] {
  const { raw_headers, host, timestamp_s } = request;
  const origin_headers = Object.entries(route.origin_headers ?? {});
  const remade = new Set<string>(REMADE);
  for (const [name] of origin_headers) remade.add(name.toLowerCase());
  const hop_by_hop = hopByHop(raw_headers);
  const prefix = names.origin_header_prefix.toLowerCase();

  const headers = ['Host', host];
  const cookies: string[] = [];
  for (let i = 0; i + 1 < raw_headers.length; i += 2) {
    const name = raw_headers[i] ?? '';
    const value = raw_headers[i + 1] ?? '';
    const lower = name.toLowerCase();
    const folded = fold(lower);
    if (hop_by_hop.has(lower) || hop_by_hop.has(folded) || remade.has(folded)) continue;
    if (lower.includes('_') || lower.startsWith(':')) continue;
    if (folded.startsWith(prefix) || folded.startsWith('x-forwarded')) continue;
    if (request.protocol === 'h2' && lower === 'cookie') cookies.push(value);
    else headers.push(name, value);
  }
  // HTTP/2 may send a cookie's pairs one by one (RFC 9113 section 8.2.3).
  if (cookies.length > 0) headers.push('Cookie', cookies.join('; '));
  if (typeof request.body === 'number') headers.push('Content-Length', String(request.body));
  headers.push('CDN-Loop', [...headerValues(raw_headers, 'cdn-loop'), loopToken(names)].join(', '));
  for (const [name, value] of origin_headers) headers.push(name, value);

  const { method, path_and_query } = request;
  const { domain_id, app_id, signing_secret: secret } = route;
  headers.push(
    'X-Forwarded-Proto',
    request.scheme,
    // Not among the six of section 1, but nobody else can tell the origin who its visitor is, and what the visitor
    // claims is gone: one address, the one that connected. X-Forwarded-Host would only repeat Host.
    'X-Forwarded-For',
    request.client_address,
    names.domain_id_header,
    domain_id,
    names.app_id_header,
    app_id,
    names.timestamp_header,
    String(timestamp_s),
    names.origin_signature_header,
    signOriginRequest({ secret, timestamp_s, method, host, path_and_query, domain_id }),
  );
  return headers;
}

export interface ForwardedRequest {
  protocol: RequestHead['protocol'];
  method: string;
  /** The Host that the origin gets, and that is signed. */
  host: string;
  path_and_query: string;
  raw_headers: readonly string[];
  body: BodyFraming;
  scheme: 'http' | 'https';
  /** The visitor's address, without brackets. */
  client_address: string;
  /** Unix seconds of the wall clock: the origin holds them against its own. */
  timestamp_s: number;
}

/** Made anew by the edge, or, like `Expect`, answered by it. */
const REMADE = ['host', 'content-length', 'expect', 'forwarded', 'cdn-loop'] as const;

/**
 * CGI and its heirs make `X.Service!Signature` the same variable as `X-Service-Signature`: what is dropped is
 * compared by what is left of a name when everything but letters and digits is a hyphen.
 */
function fold(lowercase: string): string {
  return /[^a-z0-9-]/.test(lowercase) ? lowercase.replace(/[^a-z0-9]/g, '-') : lowercase;
}
