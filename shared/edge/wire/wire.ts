import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { RequestHead } from './request-head.ts';

/** Transports one request and its response. Hides the differences between HTTP/1.1 and HTTP/2. */
export interface Wire {
  readonly head: RequestHead;
  /** True if the visitor waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** The connection of a WebSocket handshake, else null. */
  readonly upgrade: Upgrade | null;
  /** True while the edge waits for the visitor to send or to read. */
  readonly waitsForVisitor: boolean;
  /** Number of bytes of the response body that were passed to the connection. */
  readonly bodyBytes: number;
  /** Number of bytes that were transferred so far, in both directions. */
  readonly moved: number;
  /** Returns the number of bytes of this request and its response, including headers, without TLS. Call this once, at the end. */
  takeBytes(): { received: number; sent: number };
  sendContinue(): void;
  /** Sends an interim response (RFC 9110 section 15.2) over HTTP/2. Over HTTP/1.1, does nothing, because many clients cannot read it. */
  sendInterim(status: number, headers: readonly string[]): void;
  /**
   * Sends the head of the response.
   * @param last true if this is the last response on the connection.
   * @throws TypeError, RangeError if the head cannot be written.
   */
  sendHead(status: number, headers: readonly string[], last: boolean): void;
  /** Sends the head and the first bytes of the body at once, without waiting for more. */
  flush(): void;
  /** Sends a part of the body. @returns false if the caller should wait for `onDrain` before it sends more. */
  sendData(chunk: Buffer): boolean;
  /** Calls back once, when more data may be sent. */
  onDrain(then: () => void): void;
  /** Completes the response. The rest of the request body is discarded. */
  sendEnd(body?: string): void;
  /** Pipes the request's body into a stream. */
  pipeBody(into: Writable): void;
  /** Breaks off the response, so that the visitor does not mistake it for a complete one. */
  drop(): void;
  /** Calls back once, when the response has been sent or the visitor has left. */
  onClosed(then: () => void): void;
}

export interface Upgrade {
  /** Bytes that followed the handshake. */
  readonly head: Buffer;
  /** Returns the connection without its HTTP parser. */
  detach(): Socket;
}

/** The client at the other end of a connection. */
export interface Visitor {
  /** The address, without brackets. IPv4 addresses are not mapped to IPv6. */
  readonly address: string;
  /** The network of the address. It groups addresses that probably belong to one visitor. */
  readonly network: string;
  /** The server name (SNI) in lowercase and without a dot at its end, or '' if the visitor sent none. Null without TLS. */
  readonly servername: string | null;
  /** True if the request came through a trusted proxy, which may send requests for several hostnames over one connection. */
  readonly isRelayed: boolean;
}
