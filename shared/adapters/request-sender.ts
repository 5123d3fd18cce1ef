import type { Socket } from 'node:net';
import { Agent, type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { OutboundError } from '../core/webhooks/delivery.ts';
import type { OutboundRequest, OutboundResult } from '../ports/outbound.ts';
import { outboundError } from './guarded-connect.ts';
import { skipContinue } from './owned-server.ts';

/** Sends HTTP requests and keeps connections open for further requests. */
export interface RequestSender {
  /**
   * Sends one request under one deadline. The response head decides the outcome unless the caller asks for the body. If the caller does not
   * ask, a broken or slow body only ends the connection. Rejects only if undici refuses to send the request.
   */
  send(url: URL, request: OutboundRequest): Promise<Outcome>;
  /** Ends every connection and its requests. */
  destroy(): Promise<void>;
}

export type Outcome = Answered | Omit<Extract<OutboundResult, { ok: false }>, 'response_ms'>;

/**
 * Maximum number of bytes of one response on the network. The parser does not limit everything: a status line, chunk extensions and 1xx
 * responses could be endless. Even a body of 16 KB in chunks of one byte needs far less.
 */
const WIRE_BYTES_MAX = 1024 * 1024;

/** Creates the HTTP clients for all hosts. @param connect the guard's function, which opens every connection. */
export function createRequestSender(connect: buildConnector.connector): RequestSender {
  const kept = createAgent(connect, { pipelining: 1 });
  // With `pipelining: 0`, undici opens a connection for each request.
  const fresh = createAgent(connect, { pipelining: 0 });
  return {
    send: (url, request) => sendOnce(url, request, kept, fresh),
    async destroy() {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** How long an idle connection is kept, unless the server asks for less. Many servers close it after 5 s. */
const IDLE_MS = 4_000;
/** A busy connection is replaced after this time, so that requests follow changes in DNS. */
const CONNECTION_AGE_MS = 5 * 60_000;
/** Maximum number of connections to one host. Further requests wait for a free connection until their deadline. */
const CONNECTIONS_PER_ORIGIN_MAX = 128;
const ANSWER_HEADERS_BYTES_MAX = 16 * 1024;
/** How long an unwanted body may take before its connection is closed. */
const UNWANTED_BODY_MS = 1_000;
type Answered = Omit<Extract<OutboundResult, { ok: true }>, 'response_ms'>;

/**
 * The reason for aborting a request that already has its outcome. It is created only once, because a stack trace costs more than most
 * responses.
 */
const SETTLED = new Error('settled');

function sendOnce(url: URL, request: OutboundRequest, kept: Agent, fresh: Agent): Promise<Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  let settled = false;
  let controller: Dispatcher.DispatchController | undefined;
  let reused = false;
  let answered = false;
  let answer: Answered | undefined;
  let bodyBytes = 0;
  const keptBody: Buffer[] = [];
  const keptBytesMax = request.keepBody ? request.maxResponseBytes : (request.sampleBytes ?? 0);

  const timer = setTimeout(() => fail('timeout'), request.timeoutMs);
  let bodyTimer: NodeJS.Timeout | undefined;

  function fail(error: OutboundError): void {
    settle(answer && !request.keepBody ? withBody(answer) : { ok: false, problem: error });
  }

  function settle(outcome: Outcome): void {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    clearTimeout(bodyTimer);
    resolve(outcome);
    // If the response was cut off or came too late, this ends its connection. After a complete response, it has no effect.
    controller?.abort(SETTLED);
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(started, context: ConnectionContext) {
      controller = started;
      reused = context.reused;
      // If the deadline passed while the request waited for a connection, the request must not be sent and must leave the queue.
      if (settled) started.abort(SETTLED);
    },
    onResponseStarted() {
      answered = true;
    },
    onResponseStart(_controller, statusCode, headers) {
      if (statusCode < 200) return;
      answer = { ok: true, status_code: statusCode, headers: present(headers) };
      if (!request.keepBody) bodyTimer = setTimeout(() => fail('timeout'), UNWANTED_BODY_MS);
    },
    onResponseData(_controller, chunk) {
      const room = keptBytesMax - bodyBytes;
      if (room > 0) keptBody.push(chunk.subarray(0, room));
      bodyBytes += chunk.length;
      if (bodyBytes > request.maxResponseBytes && answer) settle(withBody(answer));
    },
    onResponseEnd() {
      settle(answer ? withBody(answer) : { ok: false, problem: 'connection_failed' });
    },
    onResponseError(_controller, error) {
      if (settled) return;
      if (isOurs(error)) {
        clearTimeout(timer);
        settled = true;
        reject(error);
      } else if (reused && !answered && isClosedByPeer(error)) {
        // A server may close a kept connection just as a request arrives, and we cannot know whether it read the request. We send it again,
        // because a second copy is harmless: it is a GET, or a delivery with the same ids, which receivers skip (`docs/api.md#webhooks`;
        // RFC 9110 section 9.2.2). This happens at most once, because the second connection is new.
        reused = false;
        dispatch(fresh);
      } else {
        fail(outboundError(error));
      }
    },
  };

  function withBody(answeredWith: Answered): Answered {
    if (request.keepBody) return { ...answeredWith, body: Buffer.concat(keptBody).toString() };
    return request.sampleBytes ? { ...answeredWith, sample: Buffer.concat(keptBody) } : answeredWith;
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
  /** Whether the connection carried another request before. */
  reused: boolean;
}

interface ConnectionState {
  socket: Socket | null;
  requests: number;
  /** Bytes received before the current request. */
  bytesBefore: number;
  /** Called before each request, so that a `100 Continue` in its response is skipped. */
  expect(): void;
}

/** One connection of a pool, which counts its requests and the bytes that it receives. */
class Connection extends Client {
  readonly #state: ConnectionState;

  constructor(origin: URL, options: Client.Options, connect: buildConnector.connector) {
    const state: ConnectionState = { socket: null, requests: 0, bytesBefore: 0, expect: () => undefined };
    const counted: buildConnector.connector = (target, callback) =>
      connect(target, (...result) => {
        const [, socket] = result;
        Object.assign(state, { socket, requests: 0 });
        if (socket) state.expect = skipContinue(socket);
        callback(...result);
        // This listener comes after undici's own, so that the limit of the body applies first.
        socket?.on('readable', () => {
          if (socket.bytesRead - state.bytesBefore > WIRE_BYTES_MAX)
            socket.destroy(new Error('the response exceeds the limit of bytes'));
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
        state.expect();
        state.bytesBefore = state.socket?.bytesRead ?? 0;
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
              // The deadline of `sendOnce` is the only timeout.
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

/** Returns whether undici refused to send the request, because the caller made a mistake. */
function isOurs(error: Error): boolean {
  return 'code' in error && (error.code === 'UND_ERR_INVALID_ARG' || error.code === 'UND_ERR_NOT_SUPPORTED');
}

/** Returns whether the server closed the connection of a request. */
export function isClosedByPeer(error: Error): boolean {
  return 'code' in error && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(error.code));
}
