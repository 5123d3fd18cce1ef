import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';
import { headerPairs, headerValues } from './raw-headers.ts';
import type { RequestHead } from './request-head.ts';
import type { Wire } from './wire.ts';

/** A request over HTTP/2 (RFC 9113): one stream of a connection. */
export class Http2Wire implements Wire {
  readonly head: RequestHead;
  readonly expectsContinue: boolean;
  /** WebSockets over HTTP/2 (RFC 8441) are not offered, so browsers open an HTTP/1.1 connection for them. */
  readonly upgrade = null;
  readonly #stream: ServerHttp2Stream;
  bodyBytes = 0;
  #received = 0;
  #sentHead = 0;

  /** @param endsHere true if the request has no body. */
  constructor(stream: ServerHttp2Stream, rawHeaders: readonly string[], endsHere: boolean) {
    this.#stream = stream;
    this.head = headOf(rawHeaders, endsHere);
    this.expectsContinue =
      !stream.endAfterHeaders &&
      headerValues(rawHeaders, 'expect').some((value) => value.toLowerCase() === '100-continue');
  }

  get waitsForVisitor(): boolean {
    const { writableLength, readableEnded, readableFlowing } = this.#stream;
    return writableLength > 0 || (!readableEnded && readableFlowing === true);
  }

  get moved(): number {
    return this.#received + this.bodyBytes - this.#stream.writableLength;
  }

  /**
   * Returns the size of headers and bodies. Counts headers at their size in HTTP/1.1, because their size in HTTP/2 depends on earlier
   * requests (HPACK).
   */
  takeBytes(): { received: number; sent: number } {
    return {
      received: headBytes(this.head.rawHeaders) + this.#received,
      sent: this.#sentHead + this.bodyBytes,
    };
  }

  sendContinue(): void {
    this.sendInterim(100, []);
  }

  sendInterim(status: number, headers: readonly string[]): void {
    if (this.#stream.closed) return;
    const byName = Object.entries(Object.groupBy(headerPairs(headers), ([name]) => name.toLowerCase()));
    const fields = byName.map(([name, pairs = []]) => [name, pairs.map(([, value]) => value)]);
    this.#stream.additionalHeaders({ ...Object.fromEntries(fields), ':status': status });
  }

  sendHead(status: number, headers: readonly string[]): void {
    this.#sentHead = STATUS_LINE_BYTES + headBytes(headers);
    this.#stream.respond([':status', String(status), ...headers]);
  }

  flush(): void {
    // Nothing to do: `respond` has already sent the head.
  }

  sendData(chunk: Buffer): boolean {
    // If a response has no body (HEAD, 204, 205, 304), Node has ended it together with its head.
    if (this.#stream.writableEnded) return true;
    this.bodyBytes += chunk.length;
    return this.#stream.write(chunk);
  }

  onDrain(then: () => void): void {
    this.#stream.once('drain', then);
  }

  /** Ends the response. Then sends NO_ERROR, so that the visitor stops sending its request body (RFC 9113 section 8.1). */
  sendEnd(body?: string): void {
    const stream = this.#stream;
    if (!stream.writableEnded) {
      this.bodyBytes += Buffer.byteLength(body ?? '');
      stream.end(body);
    }
    if (stream.readableEnded || stream.endAfterHeaders) return;
    const stop = () => stream.close(constants.NGHTTP2_NO_ERROR);
    if (stream.writableFinished) stop();
    else stream.once('finish', stop);
  }

  pipeBody(into: Writable): void {
    this.#stream.on('data', (chunk: Buffer) => {
      this.#received += chunk.length;
    });
    this.#stream.pipe(into);
  }

  /** Resets the stream with INTERNAL_ERROR. `close` would first send pending bytes with END_STREAM, as if the response were complete. */
  drop(): void {
    this.#stream.destroy(Object.assign(new Error('broken off'), { code: 'ECANCELED' }));
  }

  /**
   * Also listens for `aborted`, because after a reset Node emits the end of the request body before `close`. A partial body would then look
   * complete.
   */
  onClosed(then: () => void): void {
    let closed = false;
    const once = () => {
      if (!closed) then();
      closed = true;
    };
    this.#stream.once('aborted', once).once('close', once);
  }
}

/** Methods whose requests usually have no body. */
const BODILESS: ReadonlySet<unknown> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/**
 * Calls back once it is known whether a request has a body. Many clients end a request without a body with an empty DATA frame.
 * @param then called with true if the request has no body.
 */
export function whenEndKnown(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  then: (endsHere: boolean) => void,
): void {
  const { ':method': method, 'content-length': length, expect } = headers;
  const mayWait = BODILESS.has(method) && length === undefined && expect === undefined;
  if (!mayWait || stream.endAfterHeaders || stream.readableEnded) {
    then(stream.endAfterHeaders || (mayWait && stream.readableEnded));
    return;
  }
  stream.once('readable', () => {
    const hasEnded = stream.readableLength === 0;
    if (hasEnded) stream.resume();
    then(hasEnded);
  });
}

/** The length of `HTTP/1.1 200`. */
const STATUS_LINE_BYTES = 12;

/** Returns the size of headers in HTTP/1.1, where each has a colon, a space and a line break. */
function headBytes(rawHeaders: readonly string[]): number {
  let bytes = rawHeaders.length * 2;
  for (const part of rawHeaders) bytes += part.length;
  return bytes;
}

function headOf(rawHeaders: readonly string[], endsHere: boolean): RequestHead {
  return {
    protocol: 'h2',
    httpVersion: '2.0',
    method: headerValues(rawHeaders, ':method')[0] ?? '',
    target: headerValues(rawHeaders, ':path')[0] ?? '',
    rawHeaders,
    endsHere,
  };
}
