import { hash, randomUUID } from 'node:crypto';
import type { Http2SecureServer } from 'node:http2';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { isPartial, readClientHello } from './client-hello.ts';

/** Data from visitors' ClientHello messages. */
export interface VisitorHellos {
  /** Returns the server name that a TLS 1.2 connection asked for, or '' if there was none. */
  servernameOf(socket: Ends): string;
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress'>;

/**
 * Reads each visitor's first message before the TLS server does. OpenSSL reports no server name for a resumed session of TLS 1.2, so a
 * visitor could resume a session and then ask for any hostname.
 * @param timeoutMs how long the first message may take.
 * @param serviceName must be the same on every node.
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
      // If the hello cannot be read, there is no name. A random session context then ensures that this connection resumes no session, and
      // that its session is never resumed.
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
 * Binds the session of the next connection to a name. OpenSSL resumes a session only in the context that created it, and otherwise makes a
 * full handshake (RFC 6066 section 3). A connection copies the context of its server when it is created, and keeps it.
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
 * Passes on the first message, and leaves its bytes in the socket. This path must be fast: every handshake uses it, and most messages
 * arrive in one piece.
 */
function readFirst(socket: Socket, before: Buffer, then: (bytes: Buffer) => void): void {
  socket.once('readable', () => {
    const chunk: Buffer | null = socket.read();
    // The connection ended without data.
    if (chunk === null) return;
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk]);
    if (isPartial(bytes)) return readFirst(socket, bytes, then);
    socket.unshift(bytes);
    then(bytes);
  });
}

/**
 * Closes connections whose first message takes too long. All share one timer, because a timer for each would noticeably increase the cost
 * of a handshake.
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
