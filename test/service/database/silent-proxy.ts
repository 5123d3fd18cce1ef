import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of a local server. It can fall silent like a machine without power: it then sends no data, no FIN and no RST. */
export interface SilentProxy extends AsyncDisposable {
  /** The URL of the server through the proxy. */
  url: string;
  /** Number of open connections. */
  open(): number;
  /** Stops all traffic on existing connections. New connections still work. */
  fallSilent(): void;
  /** If true, the proxy accepts new connections too but never responds. */
  stayedSilent: boolean;
}

export async function startSilentProxy(serverUrl: string): Promise<SilentProxy> {
  const target = new URL(serverUrl);
  const pairs = new Map<Socket, Socket>();
  const server = createServer((visitor) => {
    if (proxy.stayedSilent) {
      pairs.set(visitor, visitor);
      visitor.resume();
    } else {
      const behind = connect(Number(target.port), target.hostname);
      pairs.set(visitor, behind);
      visitor.pipe(behind).pipe(visitor);
      behind.on('error', () => visitor.destroy());
      // The connection is paused while the proxy is silent, so that the client never learns that the server has gone.
      behind.once('close', () => behind.isPaused() || visitor.destroy());
    }
    visitor.on('error', () => undefined); // Clients often disconnect abruptly in these tests.
    visitor.once('close', () => {
      pairs.get(visitor)?.destroy();
      pairs.delete(visitor);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const proxy: SilentProxy = {
    url: url.href,
    stayedSilent: false,
    open: () => pairs.size,
    fallSilent() {
      for (const [visitor, behind] of pairs) {
        visitor.unpipe(behind);
        behind.unpipe(visitor);
        // Reads and discards data, so that the end of the connection is still noticed.
        visitor.resume();
        behind.pause();
      }
    },
    async [Symbol.asyncDispose]() {
      for (const visitor of pairs.keys()) visitor.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
