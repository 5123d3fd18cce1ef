import { constants, type ServerHttp2Stream } from 'node:http2';
import type { Writable } from 'node:stream';
import { headerPairs, headerValues } from './raw-headers.ts';
import type { RequestHead } from './request-head.ts';
import type { Wire } from './wire.ts';

/** A request over HTTP/2 (RFC 9113): a stream of its connection. */
export class Http2Wire implements Wire {
  readonly head: RequestHead;
  readonly expects_continue: boolean;
  /** WebSockets over HTTP/2 (RFC 8441) are not offered, so browsers open a connection of HTTP/1.1 for them. */
  readonly upgrade = null;
  readonly #stream: ServerHttp2Stream;
  #received = 0;
  #sent = 0;

  constructor(stream: ServerHttp2Stream, raw_headers: readonly string[]) {
    this.#stream = stream;
    this.head = headOf(stream, raw_headers);
    this.expects_continue =
      !stream.endAfterHeaders &&
      headerValues(raw_headers, 'expect').some((value) => value.toLowerCase() === '100-continue');
  }

  get waits_for_visitor(): boolean {
    const { writableLength, readableEnded, readableFlowing } = this.#stream;
    return writableLength > 0 || (!readableEnded && readableFlowing === true);
  }

  get moved(): number {
    return this.#received + this.#sent - this.#stream.writableLength;
  }

  sendContinue(): void {
    this.sendInterim(100, []);
  }

  sendInterim(status: number, headers: readonly string[]): void {
    if (this.#stream.closed) return;
    const by_name = Object.entries(Object.groupBy(headerPairs(headers), ([name]) => name.toLowerCase()));
    const fields = by_name.map(([name, pairs = []]) => [name, pairs.map(([, value]) => value)]);
    this.#stream.additionalHeaders({ ...Object.fromEntries(fields), ':status': status });
  }

  sendHead(status: number, headers: readonly string[]): void {
    this.#stream.respond([':status', String(status), ...headers]);
  }

  flush(): void {
    // `respond` has sent it.
  }

  sendData(chunk: Buffer): boolean {
    // Where an answer has no body (HEAD, 204, 205, 304), Node has ended it with its head.
    if (this.#stream.writableEnded) return true;
    this.#sent += chunk.length;
    return this.#stream.write(chunk);
  }

  onDrain(then: () => void): void {
    this.#stream.once('drain', then);
  }

  /** RFC 9113 section 8.1: after the whole answer, NO_ERROR asks the visitor to stop sending. */
  sendEnd(body?: string): void {
    const stream = this.#stream;
    if (!stream.writableEnded) stream.end(body);
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

  /** By its end with an error, which is INTERNAL_ERROR: `close` would first send what is pending with END_STREAM, as if that were all. */
  drop(): void {
    this.#stream.destroy(Object.assign(new Error('broken off'), { code: 'ECANCELED' }));
  }

  /** `aborted` comes first, and before the body seems to end: a reset must not make a part of it the whole. */
  onClosed(then: () => void): void {
    let closed = false;
    const once = () => {
      if (!closed) then();
      closed = true;
    };
    this.#stream.once('aborted', once).once('close', once);
  }
}

function headOf({ endAfterHeaders }: ServerHttp2Stream, raw_headers: readonly string[]): RequestHead {
  return {
    protocol: 'h2',
    http_version: '2.0',
    method: headerValues(raw_headers, ':method')[0] ?? '',
    target: headerValues(raw_headers, ':path')[0] ?? '',
    raw_headers,
    ends_here: endAfterHeaders,
  };
}
