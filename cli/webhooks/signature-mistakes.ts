import { createHmac } from 'node:crypto';

/**
 * A common mistake in signing or verifying a webhook. A function `undo` below repairs the mistake. If the signature matches after the
 * repair, the mistake is proven.
 */
export interface Mistake {
  code: string;
  message: string;
  fix: string;
}

/** Mistakes in the header. `undo` returns the repaired header, or null if the header does not have this mistake. */
export const HEADER_MISTAKES: readonly (Mistake & { undo: (header: string) => string | null })[] = [
  {
    code: 'header_name_included',
    message: 'The value includes the name of the header.',
    fix: 'Pass only the value: t=<unix seconds>,v1=<hex>.',
    undo: (header) => /^\s*[A-Za-z0-9-]+-signature\s*:\s*(.*)$/is.exec(header)?.[1] ?? null,
  },
  {
    code: 'header_quoted',
    message: 'The value is in quotation marks.',
    fix: 'Remove the quotation marks.',
    undo: (header) => unquoted(header),
  },
  {
    code: 'header_whitespace_added',
    message: 'The value contains white space.',
    fix: 'Pass the value as it arrived, without white space.',
    undo: (header) => changed(header, header.replace(/\s+/g, '')),
  },
  {
    code: 'header_uppercase',
    message: 'The hexadecimal digits are in upper case.',
    fix: 'Pass the value as it arrived, in lower case.',
    undo: (header) => changed(header, header.toLowerCase()),
  },
];

/** Mistakes in which the user gave the value of another header, or only a part of the header's value. */
export const OTHER_HEADERS: readonly (Mistake & { looksSo: RegExp })[] = [
  {
    code: 'standard_webhooks_header',
    message: 'This is the webhook-signature header of Standard Webhooks.',
    fix: 'Pass the Service-Signature header, or verify with a Standard Webhooks library.',
    looksSo: /^v1,[A-Za-z0-9+/]+=*/,
  },
  {
    code: 'origin_header',
    message: 'The value has no t. It may be the X-Service-Signature header of a request to an origin.',
    fix: 'Pass the Service-Signature header of a webhook: t=<unix seconds>,v1=<hex>.',
    looksSo: /^v1=[0-9a-f]{64}$/i,
  },
  {
    code: 'bare_hex',
    message: 'The value is only a hexadecimal number.',
    fix: 'Pass the whole header: t=<unix seconds>,v1=<hex>.',
    looksSo: /^[0-9a-f]{64}$/i,
  },
  {
    code: 'timestamp_in_milliseconds',
    message: 'The timestamp t is in milliseconds.',
    fix: 'Pass the header as it arrived, with t in seconds.',
    looksSo: /^t=[0-9]{13,}(,|$)/,
  },
];

export const SECRET_MISTAKES: readonly (Mistake & { undo: (secret: string) => string | Buffer | null })[] = [
  {
    code: 'secret_whitespace_added',
    message: 'The secret has white space or a line break around it.',
    fix: 'Trim the secret. Files and copied text often end with a line break.',
    undo: (secret) => changed(secret, secret.trim()),
  },
  {
    code: 'secret_quoted',
    message: 'The secret is in quotation marks.',
    fix: 'Remove the quotation marks. Some readers of .env files keep them.',
    undo: (secret) => unquoted(secret),
  },
  {
    code: 'secret_prefix_missing',
    message: 'The secret lacks its prefix, whsec_.',
    fix: 'Use the whole secret, including whsec_.',
    undo: (secret) => (secret.startsWith('whsec_') ? null : `whsec_${secret.trim()}`),
  },
  {
    code: 'secret_prefix_cut',
    message: 'The signature was made with the secret without its prefix, whsec_.',
    fix: 'Use the whole secret as the HMAC key, including whsec_.',
    undo: (secret) => changed(secret, secret.trim().replace(/^whsec_/, '')),
  },
  {
    code: 'secret_decoded',
    message: 'The signature was made with the base64-decoded bytes of the secret.',
    fix: 'Use the text itself as the HMAC key, including whsec_. Only Standard Webhooks libraries decode it.',
    undo: (secret) => Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64'),
  },
];

export const BODY_MISTAKES: readonly (Mistake & { undo: (body: Buffer) => Buffer | null })[] = [
  {
    code: 'body_line_break_added',
    message: 'The body ends with a line break that was not sent.',
    fix: 'Keep the bytes as they arrived. Editors and echo add a line break; printf does not.',
    undo: (body) => text(body, (whole) => changed(whole, whole.replace(/\r?\n$/, ''))),
  },
  {
    code: 'body_byte_order_mark_added',
    message: 'The body begins with a byte order mark that was not sent.',
    fix: 'Keep the bytes as they arrived, or save the file as UTF-8 without a byte order mark.',
    undo: (body) => text(body, (whole) => changed(whole, whole.replace(/^\ufeff/, ''))),
  },
  {
    code: 'body_whitespace_added',
    message: 'The body has white space around it that was not sent.',
    fix: 'Keep the bytes as they arrived.',
    undo: (body) => text(body, (whole) => changed(whole, whole.trim())),
  },
  {
    code: 'body_reserialised',
    message: 'The body was parsed and serialised again before it was verified.',
    fix: "Verify the raw body: express.raw({ type: '*/*' }) in Express, await request.text() in Next.js.",
    undo: (body) => text(body, (whole) => json(whole, (value) => JSON.stringify(value))),
  },
  {
    code: 'body_in_a_string',
    message: 'The body is a JSON string that contains the body.',
    fix: 'Do not serialise the body again. It is already text.',
    undo: (body) => text(body, (whole) => json(whole, (value) => (typeof value === 'string' ? value : null))),
  },
  {
    code: 'body_in_a_document',
    message: 'This is a JSON document that has the body in its field "body".',
    fix: 'Use only that field, unchanged: jq -j .body.',
    undo: (body) => text(body, (whole) => json(whole, bodyField)),
  },
  {
    code: 'body_base64',
    message: 'The body is encoded in base64.',
    fix: 'Decode it first. API Gateway sets isBase64Encoded in this case.',
    undo: (body) => (/^[A-Za-z0-9+/\s]+=*\s*$/.test(body.toString('latin1')) ? decoded(body) : null),
  },
  {
    code: 'body_read_as_latin1',
    message: 'The body was read as Latin-1, which turns each character beyond ASCII into several.',
    fix: 'Read it as bytes or as UTF-8.',
    undo: (body) => text(body, (whole) => changed(whole, Buffer.from(whole, 'latin1').toString('utf8'))),
  },
];

/** Mistakes in which the sender did not sign exactly `<t>.<body>`. */
export const CONTENT_MISTAKES: readonly (Mistake & { undo: (body: Buffer) => Buffer })[] = [
  {
    code: 'timestamp_not_signed',
    message: 'The signature covers only the body, without the timestamp.',
    fix: 'Sign <t>.<raw body>: the seconds, a full stop, the body.',
    undo: (body) => body,
  },
];

/** Returns the HMAC-SHA256 in lowercase hex (`docs/api.md#webhooks`). */
export function hmacHex(key: string | Buffer, content: Buffer): string {
  return createHmac('sha256', key).update(content).digest('hex');
}

function changed(before: string, after: string): string | null {
  return after === before || after === '' ? null : after;
}

function unquoted(text: string): string | null {
  return /^\s*(["'`])(.+)\1\s*$/s.exec(text)?.[2] ?? null;
}

function text(body: Buffer, undo: (whole: string) => string | null): Buffer | null {
  const repaired = undo(body.toString('utf8'));
  return repaired === null ? null : Buffer.from(repaired);
}

function json(whole: string, undo: (value: unknown) => string | null): string | null {
  try {
    const repaired = undo(JSON.parse(whole.replace(/^\ufeff/, '')));
    return repaired === null ? null : changed(whole, repaired);
  } catch {
    // The body is not JSON, or nested too deeply to parse, so it does not have this mistake.
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
