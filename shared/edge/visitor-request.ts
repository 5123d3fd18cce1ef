import type { Responder } from '../core/edge/access-entry.ts';
import { type EdgeResponse, type EdgeResponseStatus, edgeResponse } from './edge-responses.ts';
import type { OriginConnectionLimiter } from './forwarding/origin-connection-limiter.ts';
import type { Visitor, Wire } from './wire/wire.ts';

/** One request of a visitor and its response. Sends at most one response, and releases resources when the visitor leaves. */
export class VisitorRequest {
  readonly wire: Wire;
  readonly visitor: Visitor;
  readonly requestId: string;
  /** True once the request has become a WebSocket. */
  tunnelled = false;
  /** Facts about the request for logs, set while it is handled. */
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
  /** The status of the response, who responded, and when the response began, as `performance.now()`. Null until then. */
  responded: { status: number; by: Responder; at: number } | null = null;
  /** The limiter of the origin's connections, while the request has one of its slots. */
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

  /** True until the first byte of a response is sent. */
  get waiting(): boolean {
    return this.#phase === 'waiting';
  }

  /** True once the response is complete or the connection is gone. Nothing may respond after that. */
  get finished(): boolean {
    return this.#phase === 'finished';
  }

  /** True while the request uses a connection to an origin that other requests wait for. */
  get contested(): boolean {
    return this.limiter?.contested ?? false;
  }

  /** Sets the callback that is called when the edge responds instead of the origin, or when the visitor leaves. */
  onAborted(then: () => void): void {
    this.#onAborted = then;
  }

  /**
   * Starts a response of the origin or of one of our own pages. To send the head before there is a body, call `wire.flush`.
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

  /** Marks the request as a WebSocket. */
  tunnel(): void {
    this.#phase = 'finished';
    this.tunnelled = true;
    this.responded = { status: 101, by: 'origin', at: performance.now() };
    this.#owner.seen(this, 101);
  }

  /**
   * Responds with an error. If a response has already begun, breaks off the connection, so that the visitor does not mistake the response
   * for a complete one.
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
    // Closes the connection after a malformed request, because it is unclear where the next request starts.
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
  /** The hostname of the request, by which its route is found. */
  host: string | null;
  domain_id: string | null;
  app_id: string | null;
  /** True if the route was not in memory and had to be looked up. */
  routeWasAsked: boolean;
  /** The headers that were sent to the origin: names and values, alternating. */
  headers: readonly string[];
  /** True if the origin failed, so that the edge responds in its place. */
  originFailed: boolean;
}

/** The server that received the request. */
export interface RequestOwner {
  /** True while the edge shuts down. Each connection is then closed after its response. */
  readonly closing: boolean;
  /** Called once, before the first byte of the response. The status is null if the visitor left without a response. */
  seen(request: VisitorRequest, status: number | null): void;
}
