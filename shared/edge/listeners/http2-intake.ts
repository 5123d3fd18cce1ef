import type {
  Http2SecureServer,
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from 'node:http2';
import { Http2Wire, whenEndKnown } from '../wire/http2-wire.ts';
import type { Intake } from './visitor-server.ts';

/** Starts the requests that a server receives over HTTP/2. */
export function takeHttp2(
  server: Http2SecureServer,
  { connections, limits, start, visitorOf }: Intake,
): void {
  /**
   * Starts a stream only after the packets that have already arrived are read. If they reset the stream, no request starts
   * (CVE-2023-44487).
   */
  function onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _: number, raw: string[]): void {
    const begin = (endsHere: boolean) => {
      const connection = stream.session ? connections.of(stream.session as ServerHttp2Session) : undefined;
      if (connection && !stream.destroyed && !stream.aborted)
        start(connection, new Http2Wire(stream, raw, endsHere));
    };
    setImmediate(() => whenEndKnown(stream, headers, begin));
  }

  function onSession(session: ServerHttp2Session): void {
    session.setLocalWindowSize(limits.stream_window_bytes * 4);
    // `session.socket` is a proxy that throws on `destroy`. Other methods of the proxy, such as `off`, return the real socket.
    const socket = session.socket.off('close', onSession);
    connections.watch(session, visitorOf(session.socket), socket);
  }

  server.on('session', onSession);
  server.on('stream', onStream);
}
