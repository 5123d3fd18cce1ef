import { createHmac } from 'node:crypto';

/** What goes wrong between a signer and a receiver, as data: each slip undoes one mistake, and the signature tells whether it was made. */
export interface Slip {
  code: string;
  message: string;
  fix: string;
}

/** A wrong form of the header, and the right one made from it; null where the slip was not made. */
export const HEADER_SLIPS: readonly (Slip & { mend: (header: string) => string | null })[] = [
  {
    code: 'header_name_included',
    message: "The header's name stands before its value.",
    fix: 'Pass the value alone: t=<unix seconds>,v1=<hex>.',
    mend: (header) => /^\s*[A-Za-z0-9-]+-signature\s*:\s*(.*)$/is.exec(header)?.[1] ?? null,
  },
  {
    code: 'header_quoted',
    message: 'The value stands in quotation marks.',
    fix: 'Pass it without them.',
    mend: (header) => unquoted(header),
  },
  {
    code: 'header_whitespace_added',
    message: 'The value has white space in it.',
    fix: 'Pass it as it arrived: it has none.',
    mend: (header) => changed(header, header.replace(/\s+/g, '')),
  },
  {
    code: 'header_uppercase',
    message: 'The hexadecimal digits are in upper case.',
    fix: 'Compare with the lower case that arrived.',
    mend: (header) => changed(header, header.toLowerCase()),
  },
];

/** Values that are no `Service-Signature` at all, and which header they are. */
export const OTHER_HEADERS: readonly (Slip & { looks_so: RegExp })[] = [
  {
    code: 'standard_webhooks_header',
    message: 'This is the webhook-signature header of Standard Webhooks.',
    fix: 'Pass the Service-Signature header, or verify with a Standard Webhooks library.',
    looks_so: /^v1,[A-Za-z0-9+/]+=*/,
  },
  {
    code: 'origin_header',
    message: 'The value has no t: it may be the X-Service-Signature header of a request to an origin.',
    fix: 'Pass the Service-Signature header of a webhook: t=<unix seconds>,v1=<hex>.',
    looks_so: /^v1=[0-9a-f]{64}$/i,
  },
  {
    code: 'bare_hex',
    message: 'The value is a hexadecimal number alone.',
    fix: 'Pass the whole header: t=<unix seconds>,v1=<hex>.',
    looks_so: /^[0-9a-f]{64}$/i,
  },
  {
    code: 'timestamp_in_milliseconds',
    message: 't is in milliseconds.',
    fix: 'Pass the header as it arrived: t is in seconds.',
    looks_so: /^t=[0-9]{13,}(,|$)/,
  },
];

export const SECRET_SLIPS: readonly (Slip & { mend: (secret: string) => string | Buffer | null })[] = [
  {
    code: 'secret_whitespace_added',
    message: 'The secret has white space or a line break around it.',
    fix: 'Trim it: files and copied text often end with a line break.',
    mend: (secret) => changed(secret, secret.trim()),
  },
  {
    code: 'secret_quoted',
    message: 'The secret stands in quotation marks.',
    fix: 'Take them off: some readers of .env files keep them.',
    mend: (secret) => unquoted(secret),
  },
  {
    code: 'secret_prefix_missing',
    message: 'The secret lacks its beginning, whsec_.',
    fix: 'Use the whole text, whsec_ included.',
    mend: (secret) => (secret.startsWith('whsec_') ? null : `whsec_${secret.trim()}`),
  },
  {
    code: 'secret_prefix_cut',
    message: 'The signature was made with the secret without its beginning, whsec_.',
    fix: 'Key the HMAC with the whole text, whsec_ included.',
    mend: (secret) => changed(secret, secret.trim().replace(/^whsec_/, '')),
  },
  {
    code: 'secret_decoded',
    message: 'The signature was made with the base64-decoded bytes of the secret.',
    fix: 'Key the HMAC with the text itself, whsec_ included. Decoded bytes are for Standard Webhooks libraries.',
    mend: (secret) => Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64'),
  },
];

export const BODY_SLIPS: readonly (Slip & { mend: (body: Buffer) => Buffer | null })[] = [
  {
    code: 'body_line_break_added',
    message: 'The body ends with a line break that was not sent.',
    fix: 'Keep the bytes as they arrived: editors and echo add one (printf does not).',
    mend: (body) => text(body, (whole) => changed(whole, whole.replace(/\r?\n$/, ''))),
  },
  {
    code: 'body_byte_order_mark_added',
    message: 'The body begins with a byte order mark that was not sent.',
    fix: 'Keep the bytes as they arrived, or save the file as UTF-8 without one.',
    mend: (body) => text(body, (whole) => changed(whole, whole.replace(/^\ufeff/, ''))),
  },
  {
    code: 'body_whitespace_added',
    message: 'The body has white space around it that was not sent.',
    fix: 'Keep the bytes as they arrived.',
    mend: (body) => text(body, (whole) => changed(whole, whole.trim())),
  },
  {
    code: 'body_reserialised',
    message: 'The body was parsed and serialised again before it was verified.',
    fix: 'Verify the raw body: in Express express.raw(), in Next.js await request.text().',
    mend: (body) => text(body, (whole) => json(whole, (value) => JSON.stringify(value))),
  },
  {
    code: 'body_in_a_string',
    message: 'The body is a JSON string that holds the body.',
    fix: 'Do not serialise it: the body is text already.',
    mend: (body) => text(body, (whole) => json(whole, (value) => (typeof value === 'string' ? value : null))),
  },
  {
    code: 'body_in_a_document',
    message: 'This is a document whose field body holds the body.',
    fix: 'Take that field alone, as it is: jq -j .body.',
    mend: (body) => text(body, (whole) => json(whole, bodyField)),
  },
  {
    code: 'body_base64',
    message: 'The body is in base64.',
    fix: 'Decode it first: API Gateway says so with isBase64Encoded.',
    mend: (body) => (/^[A-Za-z0-9+/\s]+=*\s*$/.test(body.toString('latin1')) ? decoded(body) : null),
  },
  {
    code: 'body_read_as_latin1',
    message: 'The body was read as Latin-1: characters beyond ASCII have become two.',
    fix: 'Read it as bytes or as UTF-8.',
    mend: (body) => text(body, (whole) => changed(whole, Buffer.from(whole, 'latin1').toString('utf8'))),
  },
];

/** What is signed, when it is not `<t>.<body>`. */
export const CONTENT_SLIPS: readonly (Slip & { mend: (body: Buffer) => Buffer })[] = [
  {
    code: 'timestamp_not_signed',
    message: 'The signature is of the body alone.',
    fix: 'Sign <t>.<raw body>: the seconds, a full stop, the body.',
    mend: (body) => body,
  },
];

/** HMAC-SHA256 in lowercase hex, as section 6 says. */
export function hmacHex(key: string | Buffer, content: Buffer): string {
  return createHmac('sha256', key).update(content).digest('hex');
}

function changed(before: string, after: string): string | null {
  return after === before || after === '' ? null : after;
}

function unquoted(text: string): string | null {
  return /^\s*(["'`])(.+)\1\s*$/s.exec(text)?.[2] ?? null;
}

function text(body: Buffer, mend: (whole: string) => string | null): Buffer | null {
  const mended = mend(body.toString('utf8'));
  return mended === null ? null : Buffer.from(mended);
}

function json(whole: string, mend: (value: unknown) => string | null): string | null {
  try {
    const mended = mend(JSON.parse(whole.replace(/^\ufeff/, '')));
    return mended === null ? null : changed(whole, mended);
  } catch {
    // It is no JSON, or nested deeper than the stack: then this slip was not made.
    return null;
  }
}

function bodyField(value: unknown): string | null {
  const field = typeof value === 'object' && value !== null ? Reflect.get(value, 'body') : null;
  return typeof field === 'string' ? field : null;
}

function decoded(body: Buffer): Buffer | null {
  const bytes = Buffer.from(body.toString('latin1'), 'base64');
  return bytes.length > 0 ? bytes : null;
}
