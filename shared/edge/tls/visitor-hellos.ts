import { hash, randomUUID } from 'node:crypto';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isPartial, readClientHello } from './client-hello.ts';

/** The server names from visitors' ClientHello messages. */
export interface VisitorHellos {
  /** Returns the server name (SNI) that a TLS 1.2 connection sent, or '' if it sent none. */
  servernameOf(socket: Ends): string;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>;

/**
 * Reads each visitor's ClientHello before the TLS server does. OpenSSL reports no server name for a resumed session of TLS 1.2, so a
 * visitor could otherwise resume a session and then request any hostname.
 * @param timeoutMs the maximum time until the ClientHello has arrived.
 * @param serviceName makes the names of sessions unique to this service. It must be the same on every node.
 */
export function readHellos(server: Http2SecureServer, timeoutMs: number, serviceName: string): VisitorHellos {
  const names = new Map<string, string>();
  const [speakTls] = server.rawListeners('connection');
  const silent = silentVisitors(timeoutMs);
  server.removeAllListeners('connection');
  server.once('close', silent.stop);
  server.on('connection', (socket: Socket) => {
    silent.since.set(socket, performance.now());
    readFirst(socket, NOTHING, (bytes) => {
      silent.since.delete(socket);
      const hello = readClientHello(bytes);
      if (hello && !hello.offersTls13) remember(socket, hello.servername);
      // If the ClientHello cannot be read, there is no server name. A random session id context then ensures that this connection resumes
      // no session, and that no other connection resumes its session.
      bindSession(server, `${serviceName} ${hello ? hello.servername : randomUUID()}`);
      speakTls?.call(server, socket);
    });
  });

  function remember(socket: Socket, servername: string): void {
    const ends = endsOf(socket);
    names.set(ends, servername);
    socket.once('close', () => names.delete(ends));
  }

  return { servernameOf: (socket) => names.get(endsOf(socket)) ?? '' };
}

/**
 * Sets the session id context of the next connection to a name. OpenSSL resumes a session only under the same session id context, and
 * otherwise makes a full handshake (RFC 6066 section 3). A connection copies the value from its server when it is created.
 */
function bindSession(server: Http2SecureServer, name: string): void {
  const { context } = (server as Http2SecureServer & { _sharedCreds: SecureContext })._sharedCreds;
  const native: { setSessionIdContext(id: string): void } = context;
  native.setSessionIdContext(hash('sha256', name, 'base64url').slice(0, SESSION_CONTEXT_BYTES_MAX));
}

const SESSION_CONTEXT_BYTES_MAX = 32;

const NOTHING = Buffer.alloc(0);

/** Identifies a connection by its addresses, because Node does not reveal which socket a TLS socket runs over. */
function endsOf({ remoteAddress, remotePort, localAddress }: Ends): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/**
 * Calls back with the bytes of the first message, and leaves them in the socket. This function must be fast, because every handshake uses
 * it. Most messages arrive in one piece.
 */
function readFirst(socket: Socket, before: Buffer, then: (bytes: Buffer) => void): void {
  socket.once('readable', () => {
    const chunk: Buffer | null = socket.read();
    // The visitor closed the connection without sending data.
    if (chunk === null) return;
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    if (isPartial(bytes)) return readFirst(socket, bytes, then);
    socket.unshift(bytes);
    then(bytes);
  });
}

/**
 * Closes connections whose ClientHello takes too long. All connections share one timer, because a timer for each would noticeably increase
 * the cost of a handshake.
 */
function silentVisitors(timeoutMs: number) {
  const since = new Map<Socket, number>();
  const timer = setInterval(() => {
    const late = performance.now() - timeoutMs;
    for (const [socket, at] of since) {
      if (at < late) socket.destroy();
      if (socket.destroyed) since.delete(socket);
    }
  }, timeoutMs / 4).unref();
  return { since, stop: () => clearInterval(timer) };
}
