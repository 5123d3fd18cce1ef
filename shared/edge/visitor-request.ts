import { type EdgeResponse, type EdgeResponseStatus, edgeResponse } from './edge-responses.ts';
import type { OriginConnectionLimiter } from './forwarding/origin-connection-limiter.ts';
import type { Visitor, Wire } from './wire/wire.ts';

/** One request of a visitor and its answer: who may still answer, and what happens when the visitor leaves. */
export class VisitorRequest {
  readonly wire: Wire;
  readonly visitor: Visitor;
  readonly request_id: string;
  /** It has become a WebSocket. */
  tunnelled = false;
  /** What was found out about it on the way, for whoever shows it. */
  readonly facts: VisitorRequestFacts = { host: null, domain_id: null, route_was_asked: false, headers: [] };
  /** The places of an origin, while it has one of them. */
  limiter: OriginConnectionLimiter | null = null;
  #phase: 'waiting' | 'begun' | 'finished' = 'waiting';
  #on_aborted: (() => void) | null = null;
  readonly #owner: RequestOwner;

  constructor(wire: Wire, visitor: Visitor, request_id: string, owner: RequestOwner) {
    this.wire = wire;
    this.visitor = visitor;
    this.request_id = request_id;
    this.#owner = owner;
  }

  /** No byte of an answer has been sent. */
  get waiting(): boolean {
    return this.#phase === 'waiting';
  }

  /** Nobody may answer any more. */
  get finished(): boolean {
    return this.#phase === 'finished';
  }

  /** Another waits for the connection to the origin that this one has. */
  get contested(): boolean {
    return this.limiter?.contested ?? false;
  }

  /** Called when the edge answers in the origin's place, or the visitor has gone. */
  onAborted(then: () => void): void {
    this.#on_aborted = then;
  }

  /**
   * The origin's answer starts. It is `wire.flush` that sends its head before there is a body.
   * @throws TypeError, RangeError when it cannot be written.
   */
  begin(status: number, headers: readonly string[]): void {
    this.wire.sendHead(status, headers, this.#owner.closing);
    this.#phase = 'begun';
    this.#owner.seen(this, status);
  }

  /** The origin's answer has ended. */
  end(): void {
    this.#phase = 'finished';
    this.wire.sendEnd();
  }

  /** The connection is a tunnel from now on. */
  tunnel(): void {
    this.#phase = 'finished';
    this.tunnelled = true;
    this.#owner.seen(this, 101);
  }

  /** The edge answers; where an answer has begun, all that is left is to break it off, so that nobody takes it for whole. */
  fail(status: EdgeResponseStatus, reason?: string): void {
    if (this.waiting) this.respond(edgeResponse(status, this.request_id, reason));
    else this.leave();
  }

  /** Its domain is served no more. */
  revoke(status: EdgeResponseStatus): void {
    if (this.tunnelled) this.wire.drop();
    else this.fail(status);
  }

  respond({ status, headers, body }: EdgeResponse): void {
    if (!this.waiting) return;
    this.#phase = 'finished';
    this.#owner.seen(this, status);
    // After a request that could not be read, nobody knows where the next one starts.
    this.wire.sendHead(status, headers, status === 400 || this.#owner.closing);
    this.wire.sendEnd(body);
    this.#on_aborted?.();
  }

  /** The visitor has gone, or is made to go. */
  leave(): void {
    if (this.finished) return;
    if (this.waiting) this.#owner.seen(this, null);
    this.#phase = 'finished';
    this.wire.drop();
    this.#on_aborted?.();
  }
}

export interface VisitorRequestFacts {
  /** The Host as routed. */
  host: string | null;
  domain_id: string | null;
  /** Its route was not in memory. */
  route_was_asked: boolean;
  /** What the origin got, names and values by turns. */
  headers: readonly string[];
}

/** Whoever made the request. */
export interface RequestOwner {
  /** True once the edge is going down: connections are not kept then. */
  readonly closing: boolean;
  /** Called once, before the first byte of the answer; null when the visitor left without one. */
  seen(request: VisitorRequest, status: number | null): void;
}
