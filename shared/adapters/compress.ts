import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Coding = 'br' | 'gzip';

/** The compressed forms of a body that never changes, one for each content coding. */
export type EncodedForms = Map<Coding, Uint8Array<ArrayBuffer>>;

/** Smaller bodies are not compressed, because they fit into one packet. */
const MIN_BYTES = 1024;

/** A response whose body never changes while the process runs. */
export interface KeptResponse {
  status: number;
  /** The response headers. Browsers revalidate the response by the `etag` in them. */
  headers: Readonly<Record<string, string>>;
  body: string | Buffer<ArrayBuffer>;
  /** The compressed forms of the body, which `respondKept` fills. */
  forms: EncodedForms;
}

/** Sends a `KeptResponse`: 304 if the client already has the body, else the body in a form that the client accepts. */
export function respondKept(
  { headers: asked }: Pick<Request, 'headers'>,
  kept: KeptResponse,
): Promise<Response> {
  const { status, headers, body, forms } = kept;
  // Preconditions do not apply to an error (RFC 9110 section 13.2.1).
  if (status === 200 && matchesEtag(asked.get('if-none-match'), headers['etag'])) {
    return Promise.resolve(
      new Response(null, { status: 304, headers: { ...headers, vary: 'accept-encoding' } }),
    );
  }
  return compressed({ headers: asked }, new Response(body, { status, headers }), forms);
}

/** Returns the ETag of a body. */
export function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/**
 * Compresses the body of a page with a coding that the client accepts. Use it only for pages and documents. A response that combines a
 * secret with input from someone else must not be compressed, because its size would reveal the secret (BREACH). So the JSON of the API and
 * of the dashboard is never compressed. Neither are error pages of the edge: they fit into the first packets, and a flood of bad requests
 * must cost little.
 * @param forms the cache of a body that never changes. Without a cache, the body is compressed for this response alone.
 */
export async function compressed(
  { headers }: Pick<Request, 'headers'>,
  response: Response,
  forms: EncodedForms = new Map(),
): Promise<Response> {
  if (response.body === null) return response;
  const coding = acceptedCoding(headers.get('accept-encoding'));
  const body = Buffer.from(await response.arrayBuffer());
  const sent = new Headers(response.headers);
  sent.append('vary', 'accept-encoding');
  const isEncoded = coding !== null && body.length >= MIN_BYTES;
  if (isEncoded) {
    sent.set('content-encoding', coding);
    weakenEtag(sent);
  }
  return new Response(isEncoded ? await encodedBy(coding, body, forms) : body, {
    status: response.status,
    headers: sent,
  });
}

/** Returns the coding with the highest weight, Brotli before gzip, or null for none (RFC 9110 section 12.5.3). */
export function acceptedCoding(accepted: string | null): Coding | null {
  const weights = new Map(
    (accepted ?? '').split(',').map((item) => {
      const [name = '', ...parameters] = item.toLowerCase().split(';');
      const weight = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find(Boolean);
      return [name.trim(), Number(weight ?? 1)] as const;
    }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const [best = null] = CODINGS.filter((coding) => weightOf(coding) > 0).toSorted(
    (a, b) => weightOf(b) - weightOf(a),
  );
  return best;
}

const CODINGS = ['br', 'gzip'] as const satisfies readonly Coding[];

/** Returns whether a client already has the body, according to `If-None-Match`. The comparison is weak (RFC 9110 section 13.1.2). */
function matchesEtag(ifNoneMatch: string | null, etag: string | undefined): boolean {
  if (ifNoneMatch === null || etag === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag.replace(/^W\//, ''));
}

async function encodedBy(
  coding: Coding,
  body: Buffer,
  forms: EncodedForms,
): Promise<Uint8Array<ArrayBuffer>> {
  const form = forms.get(coding) ?? (await ENCODERS[coding](body));
  forms.set(coding, form);
  return form;
}

/** With level 5, Brotli output is smaller than gzip's, and compression is as fast. Compression runs outside the main thread. */
const ENCODERS: Record<Coding, (body: Buffer) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: async (body) =>
    new Uint8Array(
      await promisify(brotliCompress)(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: 5,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      }),
    ),
  gzip: async (body) => new Uint8Array(await promisify(gzip)(body)),
};

/** Makes a strong ETag weak, because a strong ETag identifies the exact bytes of one form (RFC 9110 section 8.8.3.3). */
function weakenEtag(headers: Headers): void {
  const tag = headers.get('etag');
  if (tag?.startsWith('"')) headers.set('etag', `W/${tag}`);
}
