import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import * as z from 'zod';
import { type JwsSigner, signJws } from '../../shared/core/certificates/acme-jws.ts';
import type { AcmeProblem } from '../../shared/core/certificates/acme-problem.ts';
import { DAY_MS, type Instant } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { acmeHosts } from './acme-hosts.ts';

/** Sends signed requests to one ACME server (RFC 8555 section 6). Handles nonces, problem documents, Retry-After and timeouts. */
export interface AcmeHttp {
  /**
   * Sends a signed POST.
   * @param resource an entry of the directory, or a URL from a response.
   * @param payload null for a POST-as-GET.
   */
  post(
    signer: JwsSigner,
    resource: DirectoryResource | { url: string },
    payload: Payload | null,
  ): Promise<AcmeResponse>;
  /** Sends an unsigned GET. Only ARI uses unsigned requests (RFC 9773 section 4.1). */
  get(url: string): Promise<AcmeResponse>;
  directory(): Promise<{ ok: true; directory: AcmeDirectory } | { ok: false; problem: AcmeProblem }>;
  close(): Promise<void>;
}

/**
 * The content to sign. A function receives the URL of the request, because an external account binding contains this URL (RFC 8555 section
 * 7.3.4).
 */
export type Payload = object | ((url: string) => object);

export type AcmeResponse =
  | { ok: true; status: number; location: string | null; text: string; retryAt: Instant | null }
  | { ok: false; problem: AcmeProblem };

const DIRECTORY = z.object({
  newNonce: z.url(),
  newAccount: z.url(),
  newOrder: z.url(),
  revokeCert: z.url().optional().catch(undefined),
  renewalInfo: z.url().optional().catch(undefined),
  /**
   * `profiles` has the names of the certificate profiles that the CA offers, with a description of each (draft-ietf-acme-profiles section
   * 3).
   */
  meta: z
    .object({ profiles: z.record(z.string(), z.unknown()).optional() })
    .optional()
    .catch(undefined),
});
export type AcmeDirectory = z.output<typeof DIRECTORY>;
type DirectoryResource = 'newAccount' | 'newOrder';

export interface AcmeHttpOptions {
  directoryUrl: string;
  /** PEM root certificates to trust in addition to the system's, for a private or test CA. */
  roots: readonly string[];
  clock: Clock;
  userAgent: string;
  /** Timeout of one request, including its response. 15 s by default. */
  timeoutMs?: number;
}

/** The maximum length of a response. A chain of three certificates has 6 KB. */
const RESPONSE_BYTES_MAX = 256 * 1024;
const NONCES_MAX = 32;
/** Matches a valid nonce. Other nonces are ignored (RFC 8555 section 6.5.1). */
const NONCE = /^[\w-]{1,512}$/;
/** The maximum length of a CA's problem text, because the text is stored, displayed and logged. */
const DETAIL_CHARS_MAX = 1024;
const SUBPROBLEMS_MAX = 100;
const DIRECTORY_AGE_MS = 3_600_000;
/**
 * How often a request is repeated after `badNonce`. Pebble rejects 15% of nonces on purpose, and a real CA may reject a nonce that another
 * of its servers issued.
 */
const BAD_NONCES_MAX = 6;

export function createAcmeHttp({
  directoryUrl,
  roots,
  clock,
  userAgent,
  timeoutMs = 15_000,
}: AcmeHttpOptions): AcmeHttp {
  // A `ca` option would be slow: to find an open connection for a request, the agent would join all certificates into one text each time.
  const trust = roots.length > 0 ? { secureContext: trusting(roots) } : {};
  const hosts = acmeHosts(directoryUrl);
  const agent = new Agent({ keepAlive: true, maxSockets: 8, lookup: hosts.lookup, ...trust });
  const nonces: string[] = [];
  let known: { directory: AcmeDirectory; readAt: Instant } | null = null;

  async function send(method: 'GET' | 'HEAD' | 'POST', url: string, body?: string): Promise<AcmeResponse> {
    const refusal = hosts.refusal(url);
    if (refusal !== null) return { ok: false, problem: plainProblem(refusal) };
    try {
      const sent = request(url, {
        method,
        agent,
        headers: {
          'User-Agent': userAgent,
          ...(body === undefined ? {} : { 'Content-Type': 'application/jose+json' }),
        },
        signal: AbortSignal.timeout(timeoutMs),
      }).end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      keepNonce(response.headers['replay-nonce']);
      const text = await readBounded(response);
      const retryAfter = retryAt(response.headers['retry-after'], clock.now());
      const { statusCode: status = 0 } = response;
      if (status >= 300) return { ok: false, problem: readProblem(status, text, retryAfter) };
      const { location } = response.headers;
      const created = location ? (URL.parse(location, url)?.href ?? null) : null;
      return { ok: true, status, location: created, text, retryAt: retryAfter };
    } catch (error) {
      return { ok: false, problem: plainProblem(error instanceof Error ? error.message : String(error)) };
    }
  }

  function keepNonce(nonce: string | string[] | undefined): void {
    if (typeof nonce === 'string' && NONCE.test(nonce) && nonces.length < NONCES_MAX) nonces.push(nonce);
  }

  async function directory(): ReturnType<AcmeHttp['directory']> {
    if (known !== null && clock.now() - known.readAt < DIRECTORY_AGE_MS) {
      return { ok: true, directory: known.directory };
    }
    const response = await send('GET', directoryUrl);
    if (!response.ok) return response;
    const read = DIRECTORY.safeParse(parseJson(response.text));
    if (!read.success)
      return { ok: false, problem: plainProblem(`${directoryUrl} is not an ACME directory`) };
    known = { directory: read.data, readAt: clock.now() };
    return { ok: true, directory: known.directory };
  }

  async function takeNonce(newNonceUrl: string): Promise<string | AcmeProblem> {
    const kept = nonces.pop();
    if (kept !== undefined) return kept;
    const response = await send('HEAD', newNonceUrl);
    return nonces.pop() ?? (response.ok ? plainProblem('the server sent no nonce') : response.problem);
  }

  return {
    directory,
    get: (url) => send('GET', url),
    async post(signer, resource, payload) {
      const found = await directory();
      if (!found.ok) return found;
      const url = typeof resource === 'string' ? found.directory[resource] : resource.url;
      const content = typeof payload === 'function' ? payload(url) : payload;
      for (let refused = 0; ; ) {
        const nonce = await takeNonce(found.directory.newNonce);
        if (typeof nonce !== 'string') return { ok: false, problem: nonce };
        const response = await send(
          'POST',
          url,
          JSON.stringify(signJws(signer, { url, nonce, payload: content })),
        );
        if (response.ok || response.problem.type !== 'badNonce' || ++refused > BAD_NONCES_MAX)
          return response;
      }
    },
    close: async () => agent.destroy(),
  };
}

function trusting(roots: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ...roots] });
}

/** Returns a problem for a failure without a problem document, such as no response or an invalid response. */
export function plainProblem(detail: string): AcmeProblem {
  return { status: null, type: null, detail: bounded(detail), retryAt: null, subproblems: [] };
}

/** The fields of a problem document are optional, and a malformed field is ignored, so that we still show the CA's explanation. */
const optionalText = z.string().optional().catch(undefined);
export const problemSchema = z.object({
  type: optionalText,
  detail: optionalText,
  instance: optionalText,
  status: z.number().optional().catch(undefined),
  subproblems: z
    .array(
      z.object({
        type: optionalText,
        detail: optionalText,
        identifier: z.object({ value: z.string() }).optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});

/** Converts a problem document (RFC 7807) from a response, an order or a challenge. */
export function toProblem(
  { type, detail = '', instance, status, subproblems }: z.output<typeof problemSchema>,
  retryAt: Instant | null = null,
): AcmeProblem {
  return {
    status: status ?? null,
    type: acmeType(type),
    // `instance` may be the URL of a page that a person must visit (RFC 8555 section 7.3.3).
    detail: bounded(instance?.startsWith('https:') ? `${detail} ${instance}`.trim() : detail),
    retryAt,
    subproblems: (subproblems ?? []).slice(0, SUBPROBLEMS_MAX).map((each) => ({
      type: acmeType(each.type),
      detail: bounded(each.detail),
      name: each.identifier?.value.toLowerCase() ?? null,
    })),
  };
}

function bounded(text = ''): string {
  return text.slice(0, DETAIL_CHARS_MAX);
}

function readProblem(status: number, text: string, retryAt: Instant | null): AcmeProblem {
  const read = problemSchema.safeParse(parseJson(text));
  // A load balancer in front of the CA may respond in its own format.
  if (!read.success) return { ...plainProblem(`status ${status}`), status, retryAt };
  return { ...toProblem(read.data, retryAt), status };
}

function acmeType(type: string | undefined): string | null {
  return /^urn:ietf:params:acme:error:(\w{1,64})$/.exec(type ?? '')?.[1] ?? null;
}

/** Parses JSON. If the text is not JSON, returns undefined, which no schema accepts. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses the header Retry-After, which has seconds or a date (RFC 9110 section 10.2.3). Limits the value to one year; callers apply lower
 * limits.
 */
function retryAt(header: string | string[] | undefined, now: Instant): Instant | null {
  if (typeof header !== 'string') return null;
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN;
  const told = /^\d+$/.test(header) ? now + Number(header) * 1000 : date;
  return Number.isNaN(told) ? null : Math.min(told, now + 365 * DAY_MS);
}

async function readBounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > RESPONSE_BYTES_MAX) throw new Error('the response is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
