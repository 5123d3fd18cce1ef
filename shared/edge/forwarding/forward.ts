import { type Duplex, PassThrough } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import { ConnectFailure } from '../../adapters/guarded-connect.ts';
import { isClosedByPeer } from '../../adapters/request-sender.ts';
import type { Slot } from '../../core/fairness/fair-slots.ts';
import type { EdgeLimits } from '../edge-limits.ts';
import type { EdgeResponseStatus } from '../edge-responses.ts';
import { openTunnel } from '../listeners/tunnel.ts';
import type { VisitorRequest } from '../visitor-request.ts';
import type { OriginPool } from './origin-pools.ts';
import { visitorHeaders } from './response-headers.ts';

/**
 * Sends a visitor's request to its origin and streams the response back, through undici's `dispatch`. In both directions, the edge reads a
 * body only as fast as the receiver accepts it. If anything fails, the edge responds with an error.
 */
export function forward(request: VisitorRequest, forwarding: Forwarding): void {
  const { limiter, tunnelLimiter } = forwarding.origin;
  const { network } = request.visitor;
  const handler = new ForwardHandler(request, forwarding);
  const tunnelSlot = forwarding.upgrade ? tunnelLimiter.ask(network, () => undefined) : null;
  if (forwarding.upgrade && tunnelSlot === null) {
    handler.refuse('too many WebSockets to the origin');
    return;
  }
  const slot = limiter.ask(network, () => handler.begin());
  if (slot !== null) handler.start(slot, tunnelSlot);
  else {
    if (tunnelSlot !== null) tunnelLimiter.leave(tunnelSlot);
    handler.refuse('too many requests wait for a connection to the origin');
  }
}

export interface Forwarding {
  origin: OriginPool;
  path: string;
  /** The headers that `forwardedHeaders` returns. */
  headers: string[];
  hasBody: boolean;
  upgrade: boolean;
  limits: EdgeLimits;
  onFailure: (error: Error) => void;
}

class ForwardHandler implements Dispatcher.DispatchHandler {
  /**
   * A copy of the request body for undici. When an origin responds early, undici destroys the body that it was given, but the response
   * still needs the socket of the visitor's request.
   */
  readonly body: PassThrough | null;
  readonly #request: VisitorRequest;
  readonly #forwarding: Forwarding;
  #slot: Slot | null = null;
  /** The limiter slot of the WebSocket, if the request is a handshake. */
  #tunnelSlot: Slot | null = null;
  #queueTimer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #interim = 0;
  #answered = false;
  /** True if the request was sent over a connection that was already open. */
  reused = false;

  constructor(request: VisitorRequest, forwarding: Forwarding) {
    this.#request = request;
    this.#forwarding = forwarding;
    this.body = forwarding.hasBody ? new PassThrough() : null;
    // Ignores errors of the copy, because `onResponseError` or `onAborted` reports their cause.
    this.body?.on('error', () => undefined);
  }

  refuse(reason: string): void {
    this.#fail(new Error(reason), 503);
  }

  start(slot: Slot, tunnelSlot: Slot | null): void {
    this.#slot = slot;
    this.#tunnelSlot = tunnelSlot;
    this.#request.onAborted(() => this.#abandon());
    if (slot.waits) this.#boundWait();
    else this.begin();
  }

  /** Called when the request gets a connection to the origin. */
  begin(): void {
    clearTimeout(this.#queueTimer);
    this.#request.limiter = this.#forwarding.origin.limiter;
    this.#send(this.#forwarding.origin.pool);
  }

  #send(pool: Pool): void {
    const { origin, path, headers, upgrade } = this.#forwarding;
    const options = {
      method: this.#request.wire.head.method,
      path,
      headers,
      body: this.body,
      upgrade: upgrade ? 'websocket' : null,
      // undici reads this option, but its types lack it. `OriginPool.hostname` explains the value.
      servername: origin.hostname,
    };
    pool.dispatch(options, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { wire, finished } = this.#request;
    if (finished) {
      // If the visitor left while undici was connecting, the request can be removed only here. Otherwise it would block the whole pool.
      controller.abort(new Abandoned());
    } else if (this.body) {
      if (wire.expectsContinue) wire.sendContinue();
      wire.pipeBody(this.body);
    }
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    const headers = visitorHeaders(rawHeaders(controller), status);
    if (headers === null) controller.abort(new InvalidResponse('its headers cannot be passed on'));
    else if (status < 100 || status === 101 || status > 599)
      controller.abort(new InvalidResponse(`its status is ${status}`));
    else if (status < 200) this.#sendInterim(controller, status, headers);
    else this.#begin(controller, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { wire } = this.#request;
    if (wire.sendData(chunk)) return;
    controller.pause();
    wire.onDrain(() => controller.resume());
  }

  onResponseEnd(): void {
    this.#releaseSlot();
    this.#releaseTunnelSlot();
    this.#request.end();
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    originSocket: Duplex,
  ): void {
    this.#releaseSlot();
    originSocket.once('close', () => this.#releaseTunnelSlot());
    const headers = visitorHeaders(rawHeaders(controller), status);
    const { finished, wire } = this.#request;
    if (finished || headers === null || wire.upgrade === null) {
      originSocket.destroy();
      this.#request.facts.originFailed = this.#request.waiting;
      this.#request.fail(502);
    } else {
      const { tunnel_idle_ms: idleMs, progress_window_ms: lastBytesMs } = this.#forwarding.limits;
      openTunnel({
        request: this.#request,
        upgrade: wire.upgrade,
        originSocket,
        headers,
        idleMs,
        lastBytesMs,
      });
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isRepeatable(error)) {
      // The request is sent again only once, because the new connection cannot have been idle.
      this.reused = false;
      this.#send(this.#forwarding.origin.fresh);
      return;
    }
    this.#releaseSlot();
    this.#releaseTunnelSlot();
    this.body?.destroy();
    if (this.#request.finished) return;
    this.#fail(error, failureStatus(error));
  }

  /**
   * Returns whether the request may be sent again. A retry helps if the origin has closed an idle connection just as the request arrived
   * (RFC 9110 section 9.2.2). A request with a body cannot be repeated, because its body is not stored.
   */
  #isRepeatable(error: Error): boolean {
    const { finished, wire } = this.#request;
    const isUnanswered = this.reused && !this.#answered && !finished && this.body === null;
    return isUnanswered && IDEMPOTENT.has(wire.head.method) && isClosedByPeer(error);
  }

  /** Responds with an error page in place of the origin. */
  #fail(error: Error, status: EdgeResponseStatus): void {
    this.#forwarding.onFailure(error);
    this.#request.facts.originFailed = this.#request.waiting;
    this.#request.fail(status);
  }

  #boundWait(): void {
    const { origin_queue_ms } = this.#forwarding.limits;
    this.#queueTimer = setTimeout(
      () => this.refuse('no connection to the origin became free in time'),
      origin_queue_ms,
    );
  }

  #begin(controller: Dispatcher.DispatchController, status: number, headers: string[]): void {
    const { wire } = this.#request;
    try {
      this.#request.begin(status, headers);
    } catch (error) {
      controller.abort(new InvalidResponse('its head cannot be written', { cause: error }));
      return;
    }
    // Sends the head together with the first bytes of the body if they are there. Does not wait for them, because an event stream may send
    // nothing for a long time.
    process.nextTick(() => wire.flush());
  }

  #sendInterim(controller: Dispatcher.DispatchController, status: number, headers: string[]): void {
    if (++this.#interim > this.#forwarding.limits.origin_interim_max) {
      controller.abort(new InvalidResponse('it has too many interim responses'));
    } else {
      this.#request.wire.sendInterim(status, headers);
    }
  }

  #abandon(): void {
    if (this.#slot?.waits) {
      this.#releaseSlot();
      this.#releaseTunnelSlot();
    }
    this.body?.destroy(new Abandoned());
    this.#controller?.abort(new Abandoned());
  }

  #releaseSlot(): void {
    clearTimeout(this.#queueTimer);
    if (this.#slot) this.#forwarding.origin.limiter.leave(this.#slot);
    this.#slot = null;
    this.#request.limiter = null;
  }

  #releaseTunnelSlot(): void {
    if (this.#tunnelSlot) this.#forwarding.origin.tunnelLimiter.leave(this.#tunnelSlot);
    this.#tunnelSlot = null;
  }
}

/** Methods whose requests may be repeated (RFC 9110 section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

class Abandoned extends Error {
  override name = 'Abandoned';
}

/** Thrown if the edge cannot forward the origin's response. */
class InvalidResponse extends Error {
  override name = 'InvalidResponse';
}

/** Returns the raw headers as strings. Reading and writing them as latin1 leaves their bytes unchanged. */
function rawHeaders({ rawHeaders: raw }: Dispatcher.DispatchController): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}

/** Returns the status for an origin's failure: 504 for a timeout, 502 for anything else. */
function failureStatus(error: Error): 502 | 504 {
  if (error instanceof ConnectFailure) return error.error === 'timeout' ? 504 : 502;
  return 'code' in error && TIMEOUTS.has(error.code) ? 504 : 502;
}

const TIMEOUTS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
