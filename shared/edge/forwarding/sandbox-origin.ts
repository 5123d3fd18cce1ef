import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ServiceNames } from '../../core/service-name.ts';
import { html } from '../../core/text/markup.ts';
import { page } from '../../core/text/page.ts';
import type { Clock } from '../../ports/system.ts';
import { OWN_PAGE_HEADERS } from '../own-pages.ts';
import { headerPairs, headerValues } from '../wire/raw-headers.ts';
import { checkOriginSignature, type OriginSignature } from './check-origin-signature.ts';

/**
 * Creates the built-in origin for test domains without an origin (`docs/test-mode.md`). It responds with the request as an origin receives
 * it, with all headers and the result of the signature check. If the client prefers HTML, the response is a page, else JSON. Any visitor
 * may read the response, so it hides the signature and the values of the domain's `origin_headers`.
 */
export function createSandboxOrigin(options: SandboxOriginOptions): RequestListener {
  const bodyBytesMax = options.bodyBytesMax ?? 1024 * 1024;
  return (req, res) => {
    echo(req, res, { ...options, bodyBytesMax }).catch((error: unknown) => {
      options.onFailure?.(error);
      if (!res.headersSent) res.writeHead(500, { 'Content-Length': 0, Connection: 'close' });
      res.end();
    });
  };
}

export interface SandboxOriginOptions {
  names: ServiceNames;
  /** The real time, because the edge signs with the real time. */
  wallClock: Clock;
  /** Returns the sandbox data of a domain, or null if the domain does not exist. */
  findDomain: (domainId: string) => Promise<SandboxDomain | null>;
  /** Limit on the body bytes that are read. Default 1 MiB. */
  bodyBytesMax?: number;
  onFailure?: (error: unknown) => void;
}

/** A domain whose requests the sandbox origin shows. */
export interface SandboxDomain {
  /** The domain's signing secrets: one, or two during a rotation. */
  signingSecrets: readonly string[];
  /** The names of the domain's `origin_headers`. */
  originHeaderNames: readonly string[];
}

/** The JSON response. */
export interface SandboxEcho {
  method: string;
  host: string | null;
  /** Path and query. */
  path: string;
  /** Headers in the order of arrival. Secret values are replaced by `[hidden]`. */
  headers: [name: string, value: string][];
  /** Number of bytes of the body that were read. `body_cut` is true if the body has more. */
  body_bytes: number;
  body_cut: boolean;
  domain_id: string | null;
  app_id: string | null;
  signature: OriginSignature;
}

async function echo(
  req: IncomingMessage,
  res: ServerResponse,
  options: SandboxOriginOptions & { bodyBytesMax: number },
): Promise<void> {
  const { names } = options;
  const { method = '', url: path = '', rawHeaders } = req;
  const first = (name: string) => headerValues(rawHeaders, name)[0] ?? null;
  const domainId = first(names.domain_id_header);
  const domain = domainId === null ? null : await options.findDomain(domainId);
  const secrets = domain?.signingSecrets ?? [];
  const signature = checkOriginSignature({ method, pathAndQuery: path, rawHeaders }, secrets, {
    names,
    nowS: Math.floor(options.wallClock.now() / 1000),
  });
  const hidden = new Set(
    [names.origin_signature_header, ...(domain?.originHeaderNames ?? [])].map((name) => name.toLowerCase()),
  );
  const bodyBytes = await countBytes(req, options.bodyBytesMax);
  const seen: SandboxEcho = {
    method,
    host: first('host'),
    path,
    headers: headerPairs(rawHeaders).map(([name, value]) => [
      name,
      hidden.has(name.toLowerCase()) ? HIDDEN : value,
    ]),
    body_bytes: Math.min(bodyBytes, options.bodyBytesMax),
    body_cut: bodyBytes > options.bodyBytesMax,
    domain_id: domainId,
    app_id: first(names.app_id_header),
    signature,
  };

  const asPage = prefersHtml(first('accept') ?? '');
  const body = asPage ? echoPage(seen) : `${JSON.stringify(seen, null, 2)}\n`;
  const headers = asPage ? [...OWN_PAGE_HEADERS] : [...JSON_HEADERS];
  headers.push('Vary', 'Accept', 'Content-Length', String(Buffer.byteLength(body)));
  if (seen.body_cut) headers.push('Connection', 'close');
  res.writeHead(200, headers);
  res.end(method === 'HEAD' ? undefined : body);
}

/** Counts the bytes of the body without storing them. Stops at the first chunk beyond the limit. */
async function countBytes(req: IncomingMessage, bytesMax: number): Promise<number> {
  let bytes = 0;
  // Stops reading without destroying the request, because the response needs its socket.
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > bytesMax) break;
  }
  return bytes;
}

/** Returns whether the client prefers HTML, as browsers do. A client without a preference gets JSON. */
function prefersHtml(accept: string): boolean {
  const html = accept.toLowerCase().indexOf('text/html');
  const json = accept.toLowerCase().indexOf('application/json');
  return html !== -1 && (json === -1 || html < json);
}

function echoPage({ method, host, path, headers, body_bytes, body_cut, signature }: SandboxEcho): string {
  const rows = headers.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`);
  const verdict = signature.verified ? 'verified' : `did not verify: ${signature.reason}`;
  const main = html`<h1>Sandbox origin</h1>
<p><code>${method} ${path}</code> for <code>${host ?? ''}</code></p>
<p>The origin signature <strong>${verdict}</strong>.</p>
<p>Body: ${body_bytes} bytes${body_cut ? ', then cut off' : ''}.</p>
<table><thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead>
<tbody>${rows}</tbody></table>`;
  return page({ title: 'Sandbox origin', main });
}

const HIDDEN = '[hidden]';

const JSON_HEADERS: readonly string[] = [
  'Content-Type',
  'application/json; charset=utf-8',
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
];
