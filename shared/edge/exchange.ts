import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AnswerStatus, type EdgeAnswer, edgeAnswer } from './answers.ts';

/** One request of a visitor and its answer: who may still answer, and what happens when the visitor leaves. */
export class Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly socket: Socket;
  readonly request_id: string;
  /** Bytes that followed an upgrade request, else null. */
  readonly upgrade_head: Buffer | null;
  /** The visitor waits for `100 Continue` before it sends the body. */
  readonly expects_continue: boolean;
  #phase: 'waiting' | 'begun' | 'over' = 'waiting';
  #on_over: (() => void) | null = null;
  readonly #options: ExchangeOptions;

  constructor(options: ExchangeOptions) {
    this.req = options.req;
    this.res = options.res;
    this.socket = options.req.socket;
    this.request_id = options.request_id;
    this.upgrade_head = options.upgrade_head ?? null;
    this.expects_continue = options.expects_continue ?? false;
    this.#options = options;
  }

  /** No byte of an answer has been sent. */
  get waiting(): boolean {
    return this.#phase === 'waiting';
  }

  /** Nobody may answer any more. */
  get over(): boolean {
    return this.#phase === 'over';
  }

  /** Called when the edge answers in the origin's place, or the visitor has gone. */
  onOver(then: () => void): void {
    this.#on_over = then;
  }

  /**
   * The origin's answer starts. It is `res.flushHeaders` that sends its head before there is a body.
   * @throws TypeError, RangeError when it cannot be written.
   */
  begin(status: number, headers: readonly string[]): void {
    this.res.writeHead(status, this.#lastOr(headers));
    this.#phase = 'begun';
    this.#options.on_status(status);
  }

  /** The origin's answer has ended. */
  end(): void {
    this.#phase = 'over';
    this.res.end();
    this.#discardBody();
  }

  /** The connection is a tunnel from now on. */
  tunnel(): void {
    this.#phase = 'over';
    this.#options.on_status(101);
  }

  /** The edge answers; where an answer has begun, all that is left is to break it off, so that nobody takes it for whole. */
  fail(status: AnswerStatus, reason?: string): void {
    if (this.waiting) this.answer(edgeAnswer(status, this.request_id, reason));
    else this.leave();
  }

  answer({ status, headers, body }: EdgeAnswer): void {
    if (!this.waiting) return;
    this.#phase = 'over';
    this.#options.on_status(status);
    // After a request that could not be read, nobody knows where the next one starts.
    this.res.writeHead(status, status === 400 ? [...headers, ...CLOSE] : this.#lastOr(headers));
    this.res.end(this.req.method === 'HEAD' ? undefined : body);
    this.#discardBody();
    this.#on_over?.();
  }

  /** The visitor has gone, or is made to go. */
  leave(): void {
    if (this.over) return;
    if (this.waiting) this.#options.on_status(null);
    this.#phase = 'over';
    this.socket.destroy();
    this.#on_over?.();
  }

  #lastOr(headers: readonly string[]): string[] {
    const last = this.upgrade_head !== null || this.#options.closing();
    return last ? [...headers, ...CLOSE] : [...headers];
  }

  /** A close with unread bytes is a reset, and takes the answer with it: read on, up to a limit. */
  #discardBody(): void {
    const { req, socket } = this;
    if (req.complete || this.upgrade_head !== null) return;
    let bytes = 0;
    req.unpipe();
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > this.#options.discarded_bytes_max) socket.destroy();
    });
    req.resume();
  }
}

export interface ExchangeOptions {
  req: IncomingMessage;
  res: ServerResponse;
  request_id: string;
  upgrade_head?: Buffer;
  expects_continue?: boolean;
  discarded_bytes_max: number;
  /** True once the edge is going down: connections are not kept then. */
  closing: () => boolean;
  /** Called once, before the first byte of the answer; null when the visitor left without one. */
  on_status: (status: number | null) => void;
}

const CLOSE = ['Connection', 'close'] as const;
