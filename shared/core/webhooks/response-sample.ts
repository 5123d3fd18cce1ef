/** The part of a receiver's response that is stored, so that the receiver's developers can see why the event was refused. */
export interface ResponseSample {
  /** The response's headers that are listed in `KEPT_HEADERS`, by lowercase name. */
  response_headers: Readonly<Record<string, string>>;
  /** The beginning of the body, as text. */
  response_body: string;
}

/** Maximum number of bytes of a response body that are kept. */
export const SAMPLE_BYTES_MAX = 2048;
const HEADER_CHARS_MAX = 256;

/** Response headers that help to find a fault and that contain no credential, unlike `Set-Cookie`. */
const KEPT_HEADERS = [
  'content-length',
  'content-type',
  'location',
  'retry-after',
  'server',
  'via',
  'www-authenticate',
  'x-request-id',
  'cf-ray',
];

/**
 * Returns the part of a response to store.
 * @param headers by lowercase name.
 * @param body at most `SAMPLE_BYTES_MAX` bytes of UTF-8. The last character may be incomplete.
 */
export function responseSample(
  headers: Readonly<Record<string, string | readonly string[]>>,
  body: Uint8Array,
): ResponseSample {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined
      ? []
      : [[name, storable([value].flat().join(', ')).slice(0, HEADER_CHARS_MAX)]];
  });
  // With `stream`, the decoder leaves out a last character that is incomplete.
  const text = body.length === 0 ? '' : new TextDecoder().decode(body, { stream: true });
  return { response_headers: Object.fromEntries(kept), response_body: storable(text) };
}

/** Replaces characters that the database cannot store. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
