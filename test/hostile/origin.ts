import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A customer's origin on loopback. It responds with a greeting, echoes WebSockets, and misbehaves at certain paths. */
export interface HostileOrigin extends AsyncDisposable {
  url: string;
  /** Ends the connections that the edge keeps open for reuse. */
  closeIdle(): void;
}

export const HELLO = 'hello from the origin';

const BIG = Buffer.alloc(300_000, 'b');

/** Wrong responses of the origin, by path. Every other path gets `HELLO`. */
const MISBEHAVIOURS: Readonly<Record<string, (req: IncomingMessage, res: ServerResponse) => void>> = {
  '/reset': (req) => void req.socket.resetAndDestroy(),
  '/cut': (req, res) => {
    res.writeHead(200, { 'content-length': 1000 });
    res.write('half of it', () => req.socket.destroy());
  },
  '/garbage': (req) => void req.socket.end('\x00\x01 this is no HTTP\r\n\r\n'),
  '/switch': (req) =>
    void req.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nx'),
  '/hints': (_req, res) => {
    for (let n = 0; n < 20; n++) res.writeEarlyHints({ link: '</a.css>; rel=preload' });
    res.end(HELLO);
  },
  '/early': (_req, res) => void res.writeHead(413, { connection: 'close' }).end('too much'),
  '/big': (_req, res) => void res.end(BIG),
  '/drip': (_req, res) => {
    res.write('a');
    setTimeout(() => res.end('b'), 5);
  },
  '/trailers': (_req, res) => {
    // Node allows trailers only in a chunked response. By default, it does not use chunks for HEAD and HTTP/1.0, so this sets the header.
    res.writeHead(200, { trailer: 'x-after', 'transfer-encoding': 'chunked' });
    res.write('a');
    res.addTrailers({ 'x-after': 'b' });
    res.end();
  },
};

export const MISBEHAVING_PATHS = Object.keys(MISBEHAVIOURS);

export async function startHostileOrigin(): Promise<HostileOrigin> {
  const sockets = new Set<Duplex>();
  const server = createServer((req, res) => {
    req.on('error', () => undefined);
    res.on('error', () => undefined);
    const misbehave = MISBEHAVIOURS[(req.url ?? '').split('?', 1)[0] ?? ''];
    if (misbehave) misbehave(req, res);
    else req.resume().on('end', () => res.end(HELLO));
  });
  server.on('upgrade', (req, socket, head) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    if (req.url === '/reset') return socket.destroy();
    if (req.url === '/garbage') return socket.end('no HTTP at all\r\n\r\n');
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    if (head.length > 0) socket.write(head);
    socket.pipe(socket);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closeIdle: () => server.closeIdleConnections(),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
    },
  };
}
