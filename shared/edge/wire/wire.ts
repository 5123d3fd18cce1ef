import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import type { RequestHead } from './request-head.ts';

/** How one request and its answer travel: all in which HTTP/1.1 and HTTP/2 differ. */
export interface Wire {
  readonly head: RequestHead;
  /** The visitor waits for `100 Continue` before it sends the body. */
  readonly expects_continue: boolean;
  /** The connection of a WebSocket handshake, else null. */
  readonly upgrade: Upgrade | null;
  /** It is the visitor that has to send or to read. */
  readonly waits_for_visitor: boolean;
  /** Bytes that went either way so far. */
  readonly moved: number;
  sendContinue(): void;
  /** RFC 9110 section 15.2: an answer before the answer. */
  sendInterim(status: number, headers: readonly string[]): void;
  /**
   * @param last nothing more is answered on this connection.
   * @throws TypeError, RangeError when it cannot be written.
   */
  sendHead(status: number, headers: readonly string[], last: boolean): void;
  /** Sends what waits for more to leave with it: the head, and the first bytes of the body. */
  flush(): void;
  /** @returns false when no more should come until `onDrain`. */
  sendData(chunk: Buffer): boolean;
  /** Called once, when more may come. */
  onDrain(then: () => void): void;
  /** The answer is complete; what is still to come of the request's body is not wanted. */
  sendEnd(body?: string): void;
  /** Sends the request's body on. */
  pipeBody(into: Writable): void;
  /** Breaks off, so that nobody takes what was sent for whole. */
  drop(): void;
  /** Called once, when the answer has left or nobody is there to take it. */
  onClosed(then: () => void): void;
}

export interface Upgrade {
  /** Bytes that followed the handshake. */
  readonly head: Buffer;
  /** The connection, with HTTP taken off. */
  detach(): Socket;
}

/** Who is at the other end of a connection. */
export interface Visitor {
  /** Without brackets, and IPv4 as such. */
  readonly address: string;
  /** Where that is: what visitors have together that are probably one. */
  readonly network: string;
  /** Over TLS the name that the visitor asked for, in lowercase, or '' when it named none; null without TLS. */
  readonly servername: string | null;
}
