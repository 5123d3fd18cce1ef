import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';

export interface Http2Visitor extends Disposable {
  session: ClientHttp2Session;
  /** Starts a request. With `endStream`, the request has no body. */
  request(headers?: OutgoingHttpHeaders, options?: { endStream?: boolean }): ClientHttp2Stream;
  /** Sends one request and returns its complete response. */
  ask(headers?: OutgoingHttpHeaders, body?: string): Promise<Http2Answer>;
}

export interface Http2Answer {
  /** The response status; 0 if the stream was reset before a response. */
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  body: string;
  /** The error code of RST_STREAM, or 0. */
  reset: number;
}

/** A well-behaved visitor over HTTP/2. */
export async function http2Visitor(port: number, servername: string): Promise<Http2Visitor> {
  const session = connect(`https://${servername}`, {
    host: '127.0.0.1',
    port,
    servername,
    rejectUnauthorized: false,
  });
  session.on('error', () => undefined);
  await once(session, 'connect');
  const request: Http2Visitor['request'] = (headers = {}, options) => session.request(headers, options);
  return {
    session,
    request,
    ask(headers, body) {
      const stream = request(headers, { endStream: body === undefined });
      if (body !== undefined) stream.end(body);
      return answerOf(stream);
    },
    [Symbol.dispose]: () => session.destroy(),
  };
}

export async function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let headers: Http2Answer['headers'] = {};
  let body = '';
  stream.on('response', (got) => {
    headers = { ...got };
  });
  stream.on('data', (chunk: Buffer) => {
    body += chunk.toString('latin1');
  });
  // Tests expect resets, so the error event is ignored.
  stream.on('error', () => undefined);
  await new Promise((resolve) => stream.once('close', resolve));
  return { status: Number(headers[':status'] ?? 0), headers, body, reset: stream.rstCode ?? 0 };
}
