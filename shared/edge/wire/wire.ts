import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { RequestHead } from './request-head.ts';

/** Transports one request and its response. It hides all differences between HTTP/1.1 and HTTP/2. */
export interface Wire {
  readonly head: RequestHead;
  /** True if the visitor waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** The connection of a WebSocket handshake, else null. */
  readonly upgrade: Upgrade | null;
  /** True while the edge waits for the visitor to send or to read. */
  readonly waitsForVisitor: boolean;
  /** Bytes of the response body that were passed to the connection. */
  readonly bodyBytes: number;
  /** Bytes moved so far, in both directions. */
  readonly moved: number;
  /** Returns the bytes of this request and its response, with headers, without TLS. Call it once, at the end. */
  takeBytes(): { received: number; sent: number };
  sendContinue(): void;
  /** Sends an interim response (RFC 9110 section 15.2) to visitors who can read it. */
  sendInterim(status: number, headers: readonly string[]): void;
  /**
   * Sends the head of the response.
   * @param last true if this is the last response on the connection.
   * @throws TypeError, RangeError if the head cannot be written.
   */
  sendHead(status: number, headers: readonly string[], last: boolean): void;
  /** Sends held bytes at once: the head, and the first bytes of the body. */
  flush(): void;
  /** Sends a part of the body. @returns false if the caller should wait for `onDrain`. */
  sendData(chunk: Buffer): boolean;
  /** Calls back once, when more data may be sent. */
  onDrain(then: () => void): void;
  /** Completes the response. The rest of the request body is discarded. */
  sendEnd(body?: string): void;
  /** Pipes the request's body into a stream. */
  pipeBody(into: Writable): void;
  /** Breaks the response off, so that the visitor cannot take it for complete. */
  drop(): void;
  /** Calls back once, when the response has been sent or the visitor is gone. */
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
  /** Groups addresses that probably belong to one visitor. */
  readonly network: string;
  /** The server name (SNI) in lowercase and without a dot at its end, or '' if the visitor sent none. Null without TLS. */
  readonly servername: string | null;
  /** True if the request came through a trusted proxy, which may send requests for several hostnames over one connection. */
  readonly isRelayed: boolean;
}
