import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { RequestHead } from './request-head.ts';
import type { Upgrade, Wire } from './wire.ts';

/** A request over HTTP/1.1 or 1.0 (RFC 9112). */
export class Http1Wire implements Wire {
  readonly head: RequestHead;
  readonly expectsContinue: boolean;
  readonly upgrade: Upgrade | null;
  bodyBytes = 0;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #maxDiscardedBytes: number;
  readonly #last: boolean;
  #onClosed: (() => void) | null = null;
  /**
   * True until the first bytes are written. The head, the first chunk and the end often come together, and are then written with one call.
   */
  #holds = true;
  #held: Buffer | undefined;

  constructor({ req, res, upgradeHead, expectsContinue, last, maxDiscardedBytes }: Http1Request) {
    this.head = headOf(req);
    this.expectsContinue = expectsContinue ?? false;
    this.upgrade = upgradeHead ? { head: upgradeHead, detach: () => this.#detach() } : null;
    this.#req = req;
    this.#res = res;
    this.#maxDiscardedBytes = maxDiscardedBytes;
    this.#last = last || this.upgrade !== null;
  }

  get waitsForVisitor(): boolean {
    const { complete, readableFlowing, socket } = this.#req;
    return socket.writableLength > 0 || (!complete && readableFlowing === true);
  }

  /** Counts the bytes of the whole connection, because later pipelined requests wait for this request. */
  get moved(): number {
    const { socket } = this.#req;
    return socket.bytesRead + socket.bytesWritten - socket.writableLength;
  }

  /** Returns the number of bytes that the connection has carried since its previous request ended. */
  takeBytes(): { received: number; sent: number } {
    const { socket } = this.#req;
    const { bytesRead, bytesWritten } = socket;
    let before = taken.get(socket);
    // Changes the entry in place, because most connections have many requests.
    if (before === undefined) {
      before = { bytesRead: 0, bytesWritten: 0 };
      taken.set(socket, before);
    }
    const bytes = { received: bytesRead - before.bytesRead, sent: bytesWritten - before.bytesWritten };
    before.bytesRead = bytesRead;
    before.bytesWritten = bytesWritten;
    return bytes;
  }

  sendContinue(): void {
    this.#res.writeContinue();
  }

  sendInterim(): void {
    // Sends nothing, because many HTTP/1.1 clients mistake an interim response for the final one. `sendContinue` sends `100 Continue` to
    // clients that expect it.
  }

  sendHead(status: number, headers: readonly string[], last: boolean): void {
    this.#res.writeHead(status, last || this.#last ? [...headers, 'Connection', 'close'] : [...headers]);
  }

  flush(): void {
    if (!this.#holds) return;
    this.#holds = false;
    if (this.#held) this.#res.write(this.#held);
    else this.#res.flushHeaders();
    this.#held = undefined;
  }

  sendData(chunk: Buffer): boolean {
    this.bodyBytes += chunk.length;
    if (this.#holds && !this.#held) {
      this.#held = chunk;
      return true;
    }
    this.flush();
    return this.#res.write(chunk);
  }

  onDrain(then: () => void): void {
    this.#res.once('drain', then);
  }

  sendEnd(body?: string): void {
    this.#holds = false;
    if (this.head.method === 'HEAD') this.#res.end();
    else if (body === undefined) this.#endWith(this.#held);
    else {
      this.bodyBytes += Buffer.byteLength(body);
      this.#res.end(body);
    }
    this.#discardBody();
  }

  pipeBody(into: Writable): void {
    this.#req.pipe(into);
  }

  drop(): void {
    this.#req.socket.destroy();
  }

  onClosed(then: () => void): void {
    this.#onClosed = then;
    this.#res.on('close', then);
  }

  /**
   * Ends the response with the first chunk of the body. Passes a small chunk as a string, because Node writes a string together with the
   * head, but a buffer separately.
   */
  #endWith(held: Buffer | undefined): void {
    if (held && held.length <= JOINED_BYTES_MAX) this.#res.end(held.toString('latin1'), 'latin1');
    else this.#res.end(held);
  }

  #detach(): Socket {
    const { socket } = this.#req;
    this.#res.detachSocket(socket);
    this.#onClosed?.();
    return socket;
  }

  /**
   * Reads and discards the rest of the request body, up to a limit. Closing a connection with unread bytes would reset it, and the visitor
   * could lose the response.
   */
  #discardBody(): void {
    const req = this.#req;
    if (req.complete || this.upgrade) return;
    let bytes = 0;
    req.unpipe();
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#maxDiscardedBytes) this.drop();
    });
    req.resume();
  }
}

export interface Http1Request {
  req: IncomingMessage;
  res: ServerResponse;
  /** Bytes that followed a WebSocket handshake. Absent for any other request. */
  upgradeHead?: Buffer;
  expectsContinue?: boolean;
  /** True if this is the last response on the connection, because no other request can follow. */
  last: boolean;
  /** Maximum number of bytes of an unwanted request body that are read and discarded. */
  maxDiscardedBytes: number;
}

/** For each connection, the number of bytes that `takeBytes` has returned for earlier requests. */
const taken = new WeakMap<Socket, { bytesRead: number; bytesWritten: number }>();

const JOINED_BYTES_MAX = 16 * 1024;

function headOf({ httpVersion, method, url, rawHeaders }: IncomingMessage): RequestHead {
  return {
    protocol: 'h1',
    httpVersion,
    method: method ?? '',
    target: url ?? '',
    rawHeaders,
  };
}
