import { ServiceError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';

const NOTHING = new Uint8Array();

/** Reads a request's body. By default, its maximum size is the limit in `docs/api.md#limits`. @throws ServiceError `payload_too_large`. */
export async function readBody(
  request: Request,
  bytesMax: number = LIMITS.request_body_bytes_max,
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return NOTHING;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] ?? NOTHING) : Buffer.concat(chunks);
}

/**
 * Reads a request's body, which must arrive within a deadline.
 * @param count called with the size of each chunk. If this function throws, the reading ends.
 * @throws ServiceError `payload_too_large`, or `invalid_request` after the deadline.
 */
export async function readBodyInTime(
  request: Request,
  bytesMax: number,
  { deadlineMs, count }: { deadlineMs: number; count: (bytes: number) => void },
): Promise<Uint8Array> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  // The body must not be opened as a stream before this check, because Node.js discards only a body that was never opened.
  if (declared > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return NOTHING;
  const { promise: expired, reject } = Promise.withResolvers<never>();
  expired.catch(() => undefined);
  const timer = setTimeout(() => reject(invalid('The body did not arrive in time.')), deadlineMs);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), expired]);
      if (done) return Buffer.concat(chunks);
      bytes += value.byteLength;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      count(value.byteLength);
      chunks.push(value);
    }
  } catch (error) {
    // The rest of the body is not needed, and the cancellation must not wait for the client.
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Parses a JSON object.
 * @throws ServiceError `invalid_request` if the Content-Type is not JSON, or if the body is not a JSON object in UTF-8.
 */
export function parseJsonObject(request: Request, body: Uint8Array): Record<string, unknown> {
  const mediaType = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw invalid(`The Content-Type is ${mediaType ? 'not application/json' : 'missing'}.`);
  }
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body is JSON but not an object.');
  }
  return value as Record<string, unknown>;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    const message = body.length === 0 ? 'The body is empty.' : 'The body is not well-formed JSON in UTF-8.';
    throw new ServiceError('invalid_request', { message, cause });
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_request', { message });
}

function tooLarge(bytesMax: number): ServiceError {
  if (bytesMax === LIMITS.request_body_bytes_max) return new ServiceError('payload_too_large');
  const size = `${bytesMax / 1024} KB`;
  return new ServiceError('payload_too_large', {
    message: `The request body is larger than ${size}.`,
    fix: `Send a body of at most ${size}.`,
  });
}
