import { type ConnectionOptions, connect, type PeerCertificate, type TLSSocket } from 'node:tls';

/** The result of a TLS handshake. `error` is set if the handshake failed. */
export interface TlsHandshake extends Disposable {
  socket: TLSSocket;
  protocol: string | null;
  alpn: string | false | null;
  certificate: Partial<PeerCertificate>;
  resumed: boolean;
  error: (Error & { code?: string }) | null;
}

/** Makes one handshake. Verifies the certificate only if a CA is given. */
export function handshake(
  port: number,
  servername: string,
  options: ConnectionOptions = {},
): Promise<TlsHandshake> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername,
    rejectUnauthorized: options.ca !== undefined,
    ...options,
  });
  return new Promise((resolve) => {
    let told = false;
    const done = (error: Error | null) => {
      // Reads the result only once, because Node 24 throws when the protocol of a closed connection is read.
      if (told) return;
      told = true;
      resolve({
        socket,
        protocol: socket.closed ? null : socket.getProtocol(),
        alpn: socket.alpnProtocol,
        certificate: socket.closed ? {} : socket.getPeerCertificate(),
        resumed: !socket.closed && socket.isSessionReused(),
        error,
        [Symbol.dispose]: () => socket.destroy(),
      });
    };
    socket.once('secureConnect', () => done(null));
    socket.on('error', done);
    socket.once('close', () => done(new Error('closed')));
  });
}

/** Sends a request over an open connection. Returns all bytes that arrive until the connection ends. */
export async function askOver(socket: TLSSocket, request: string): Promise<string> {
  let text = '';
  socket.write(request);
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1');
  return text;
}
