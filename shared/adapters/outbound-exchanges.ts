import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { OutboundError } from '../core/webhooks/delivery.ts';
import type { OutboundRequest, OutboundResult } from '../ports/outbound.ts';
import { outboundError } from './guarded-connect.ts';

/** Requests and their answers over kept connections. */
export interface Exchanges {
  /**
   * Sends one request under one deadline. The response head decides the outcome unless the caller asks for the body. Otherwise, a broken or
   * slow body only ends the connection. Rejects only for a request that undici would not send.
   */
  exchange(url: URL, request: OutboundRequest): Promise<Outcome>;
  /** Ends every connection, and what is under way on it. */
  destroy(): Promise<void>;
}

export type Outcome = Answered | Omit<Extract<OutboundResult, { ok: false }>, 'response_ms'>;

/**
 * Of one answer in all, as it comes from the network. It bounds what has no end and the parser does not count: a status
 * line, the extension of a chunk, 1xx answers. Far more than 16 KB of body need in chunks of one byte.
 */
const WIRE_BYTES_MAX = 1024 * 1024;

/** @param connect the guard's, which opens every connection. */
export function createExchanges(connect: buildConnector.connector): Exchanges {
  const kept = createAgent(connect, { pipelining: 1 });
  // undici's way to say: each request on a connection of its own.
  const fresh = createAgent(connect, { pipelining: 0 });
  return {
    exchange: (url, request) => exchange(url, request, kept, fresh),
    async destroy() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** How long a connection without a request is kept, unless the server asks for less. Many servers close after 5 s. */
const IDLE_MS = 4_000;
/** A busy connection is replaced after this time, so that a change in DNS is seen. */
const CONNECTION_AGE_MS = 5 * 60_000;
/** Requests beyond it wait for a connection, within their deadline. */
const CONNECTIONS_PER_ORIGIN_MAX = 128;
const ANSWER_HEADERS_BYTES_MAX = 16 * 1024;
/** Time that an unwanted body may take before its connection is closed. */
const UNWANTED_BODY_MS = 1_000;
type Answered = Omit<Extract<OutboundResult, { ok: true }>, 'response_ms'>;

/** Why an exchange is ended that has its outcome: made once, for a stack costs more than most answers do. */
const SETTLED = new Error('settled');

function exchange(url: URL, request: OutboundRequest, kept: Agent, fresh: Agent): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  let settled = false;
  let controller: Dispatcher.DispatchController | undefined;
  let reused = false;
  let answered = false;
  let answer: Answered | undefined;
  let body_bytes = 0;
  const kept_body: Buffer[] = [];

  const timer = setTimeout(() => fail('timeout'), request.timeout_ms);
  let bodyTimer: NodeJS.Timeout | undefined;

  function fail(error: OutboundError): void {
    settle(answer && !request.keep_body ? answer : { ok: false, error });
  }

  function settle(outcome: Outcome): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    clearTimeout(bodyTimer);
    resolve(outcome);
    // Ends the connection of an answer that was cut or came too late; after a complete one it does nothing.
    controller?.abort(SETTLED);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started, context: ConnectionContext) {
      controller = started;
      reused = context.reused;
      // The deadline passed while it waited for a connection: it must not be sent, and must leave the queue.
      if (settled) started.abort(SETTLED);
    },
    onResponseStarted() {
      answered = true;
    },
    onResponseStart(_controller, status_code, headers) {
      if (status_code < 200) return;
      answer = { ok: true, status_code, headers: present(headers) };
      if (!request.keep_body) bodyTimer = setTimeout(() => fail('timeout'), UNWANTED_BODY_MS);
    },
    onResponseData(_controller, chunk) {
      if (request.keep_body) kept_body.push(chunk.subarray(0, request.answer_bytes_max - body_bytes));
      body_bytes += chunk.length;
      if (body_bytes > request.answer_bytes_max && answer) settle(withBody(answer));
    },
    onResponseEnd() {
      settle(answer ? withBody(answer) : { ok: false, error: 'connection_failed' });
    },
    onResponseError(_controller, error) {
      if (settled) return;
      if (isOurs(error)) {
        clearTimeout(timer);
        settled = true;
        reject(error);
      } else if (reused && !answered && isClosedByPeer(error)) {
        // A server may close a kept connection just as the request is on its way. Whether it was read cannot be known,
        // so this is right only because a second copy is harmless: it is a GET, or a delivery whose ids are the same,
        // which receivers skip (section 6; RFC 9110, section 9.2.2). Once: the new connection is not a reused one.
        reused = false;
        dispatch(fresh);
      } else {
        fail(outboundError(error));
      }
    },
  };

  function withBody(answered_with: Answered): Answered {
    return request.keep_body
      ? { ...answered_with, body: Buffer.concat(kept_body).toString() }
      : answered_with;
  }

  function dispatch(agent: Agent): void {
    const { method, headers, body } = request;
    const path = url.pathname + url.search;
    agent.dispatch({ origin: url.origin, path, method, headers, body: body ?? null }, handler);
  }

  dispatch(kept);
  return promise;
}

interface ConnectionContext {
  /** Whether another request went over this connection before. */
  reused: boolean;
}

interface ConnectionState {
  socket: Socket | null;
  requests: number;
  /** What had come back before the request that is running. */
  bytes_before: number;
}

/** One connection of a pool: it counts its requests and the bytes that come back. */
class Connection extends Client {
  readonly #state: ConnectionState;

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    const state: ConnectionState = { socket: null, requests: 0, bytes_before: 0 };
    const counted: buildConnector.connector = (target, callback) =>
      connect(target, (...result) => {
        const [, socket] = result;
        Object.assign(state, { socket, requests: 0 });
        callback(...result);
        // After undici's own listener: a body that is cut is cut first.
        socket?.on('readable', () => {
          if (socket.bytesRead - state.bytes_before > WIRE_BYTES_MAX)
            socket.destroy(new Error('endless answer'));
        });
      });
    super(origin, { ...options, connect: counted });
    this.#state = state;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const state = this.#state;
    return super.dispatch(options, {
      ...handler,
      onRequestStart(controller) {
        state.bytes_before = state.socket?.bytesRead ?? 0;
        const context: ConnectionContext = { reused: state.requests++ > 0 };
        handler.onRequestStart?.(controller, context);
      },
    });
  }
}

function createAgent(connect: buildConnector.connector, { pipelining }: { pipelining: 0 | 1 }): Agent {
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN_MAX,
        clientTtl: CONNECTION_AGE_MS,
        factory: (url) =>
          new Connection(
            url,
            {
              allowH2: false,
              pipelining,
              keepAliveTimeout: IDLE_MS,
              keepAliveMaxTimeout: IDLE_MS,
              maxHeaderSize: ANSWER_HEADERS_BYTES_MAX,
              // The deadline of `exchange` is the only one.
              headersTimeout: 0,
              bodyTimeout: 0,
            },
            connect,
          ),
      }),
  });
}

function present(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** undici refused to send it: a mistake of the caller. */
function isOurs(error: Error): boolean {
  return 'code' in error && (error.code === 'UND_ERR_INVALID_ARG' || error.code === 'UND_ERR_NOT_SUPPORTED');
}

function isClosedByPeer(error: Error): boolean {
  return 'code' in error && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(error.code));
}
