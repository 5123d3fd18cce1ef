import type { Responder } from '../core/edge/access-entry.ts';
import { type EdgeResponse, type EdgeResponseStatus, edgeResponse } from './edge-responses.ts';
import type { OriginConnectionLimiter } from './forwarding/origin-connection-limiter.ts';
import type { Visitor, Wire } from './wire/wire.ts';

/** One request of a visitor and its response. It allows at most one response, and cleans up when the visitor leaves. */
export class VisitorRequest {
  readonly wire: Wire;
  readonly visitor: Visitor;
  readonly requestId: string;
  /** True once the request has become a WebSocket. */
  tunnelled = false;
  /** Collected while the request is handled, for request logs. */
  readonly facts: VisitorRequestFacts = {
    host: null,
    domain_id: null,
    app_id: null,
    routeWasAsked: false,
    headers: [],
    originFailed: false,
  };
  /** When the request arrived, as `performance.now()`. */
  readonly startedAt = performance.now();
  /** The status of the response, whose it is, and when it began, as `performance.now()`; null until there is one. */
  responded: { status: number; by: Responder; at: number } | null = null;
  /** The limiter of the origin, while the request holds one of its slots. */
  limiter: OriginConnectionLimiter | null = null;
  #phase: 'waiting' | 'begun' | 'finished' = 'waiting';
  #onAborted: (() => void) | null = null;
  readonly #owner: RequestOwner;

  constructor(wire: Wire, visitor: Visitor, requestId: string, owner: RequestOwner) {
    this.wire = wire;
    this.visitor = visitor;
    this.requestId = requestId;
    this.#owner = owner;
  }

  /** True while no byte of a response has been sent. */
  get waiting(): boolean {
    return this.#phase === 'waiting';
  }

  /** True once the response is complete or the connection is gone. Nothing may respond after that. */
  get finished(): boolean {
    return this.#phase === 'finished';
  }

  /** True while the request holds an origin connection that another request waits for. */
  get contested(): boolean {
    return this.limiter?.contested ?? false;
  }

  /** Sets the callback for when the edge responds instead of the origin, or the visitor leaves. */
  onAborted(then: () => void): void {
    this.#onAborted = then;
  }

  /**
   * Starts a response: the origin's, or a page of ours that the edge passes on. If there is no body yet, `wire.flush` sends the head.
   * @throws TypeError, RangeError if the head cannot be written.
   */
  begin(status: number, headers: readonly string[], by: Responder = 'origin'): void {
    this.wire.sendHead(status, headers, this.#owner.closing);
    this.#phase = 'begun';
    this.responded = { status, by, at: performance.now() };
    this.#owner.seen(this, status);
  }

  /** Ends the response that `begin` has started. */
  end(): void {
    this.#phase = 'finished';
    this.wire.sendEnd();
  }

  /** Marks the connection as a tunnel from now on. */
  tunnel(): void {
    this.#phase = 'finished';
    this.tunnelled = true;
    this.responded = { status: 101, by: 'origin', at: performance.now() };
    this.#owner.seen(this, 101);
  }

  /**
   * Responds with an error. If a response has already begun, the connection is broken off, so that the visitor cannot take it for complete.
   */
  fail(status: EdgeResponseStatus, reason?: string): void {
    if (this.waiting) this.respond(edgeResponse(status, this.requestId, reason));
    else this.leave();
  }

  /** Ends the request because its domain is no longer served. */
  revoke(status: EdgeResponseStatus): void {
    if (this.tunnelled) this.wire.drop();
    else this.fail(status);
  }

  respond({ status, headers, body }: EdgeResponse): void {
    if (!this.waiting) return;
    this.#phase = 'finished';
    this.responded = { status, by: 'edge', at: performance.now() };
    this.#owner.seen(this, status);
    // After a malformed request, it is unclear where the next one starts.
    this.wire.sendHead(status, headers, status === 400 || this.#owner.closing);
    this.wire.sendEnd(body);
    this.#onAborted?.();
  }

  /** Ends the request without a response, because the visitor has left or is being disconnected. */
  leave(): void {
    if (this.finished) return;
    if (this.waiting) this.#owner.seen(this, null);
    this.#phase = 'finished';
    this.wire.drop();
    this.#onAborted?.();
  }
}

export interface VisitorRequestFacts {
  /** The hostname that the route was looked up by. */
  host: string | null;
  domain_id: string | null;
  app_id: string | null;
  /** True if the route was not in memory, so that it had to be looked up. */
  routeWasAsked: boolean;
  /** The headers that were sent to the origin: names and values, alternating. */
  headers: readonly string[];
  /** True if the edge responds in place of an origin that failed. */
  originFailed: boolean;
}

/** The server that received the request. */
export interface RequestOwner {
  /** True while the edge shuts down. Connections are then not kept alive. */
  readonly closing: boolean;
  /** Called once, before the first byte of the response. The status is null if the visitor left without a response. */
  seen(request: VisitorRequest, status: number | null): void;
}
