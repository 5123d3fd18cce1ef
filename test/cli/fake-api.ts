import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A small API on 127.0.0.1 that returns responses chosen by the test. It replaces the real server in tests of the CLI and the client. */
export interface FakeApi extends AsyncDisposable {
  url: string;
  /** The requests that the API received, in order. */
  requests: SeenRequest[];
}

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** How long the API waits before it responds. */
  delay_ms?: number;
  /** If true, the API ends the connection without a response. */
  hangUp?: boolean;
}

/**
 * @param answers responses by `METHOD /path`. If a list is given, each request takes the next response, and the last one is repeated.
 * @param otherwise the response to all other requests.
 */
export async function startFakeApi(
  answers: Record<string, Answer | Answer[] | ((request: SeenRequest) => Answer)>,
  otherwise: Answer | ((request: SeenRequest) => Answer) = apiError(404, 'not_found'),
): Promise<FakeApi> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const seen = await readRequest(request);
    requests.push(seen);
    const found = answers[`${seen.method} ${seen.path}`];
    const next = (Array.isArray(found) ? (found.length > 1 ? found.shift() : found[0]) : found) ?? otherwise;
    const answer = typeof next === 'function' ? next(seen) : next;
    if (answer.delay_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.delay_ms));
    if (answer.hangUp) return request.socket.destroy();
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    return response.end(answer.body === undefined ? '' : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an error response in the envelope of `docs/api.md#errors`. */
export function apiError(status: number, code: string, more: Record<string, unknown> = {}): Answer {
  const docs = `https://docs.example.com/errors/${code}`;
  return {
    status,
    body: { error: { code, message: `Message of ${code}.`, fix: `Fix of ${code}.`, docs, ...more } },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const url = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
