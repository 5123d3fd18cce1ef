import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands before a server on this machine, and falls silent as a machine does whose power is cut: no answer, no end, no reset. */
export interface SilentProxy extends AsyncDisposable {
  /** The server's address, through here. */
  url: string;
  /** How many connections are open. */
  open(): number;
  /** From now on nothing passes on the connections that there are. */
  fallSilent(): void;
  /** Nor on new ones, which are accepted and never answered. */
  stayed_silent: boolean;
}

export async function startSilentProxy(server_url: string): Promise<SilentProxy> {
  const target = new URL(server_url);
  const pairs = new Map<Socket, Socket>();
  const server = createServer((visitor) => {
    if (proxy.stayed_silent) {
      pairs.set(visitor, visitor);
      visitor.resume();
    } else {
      const behind = connect(Number(target.port), target.hostname);
      pairs.set(visitor, behind);
      visitor.pipe(behind).pipe(visitor);
      behind.on('error', () => visitor.destroy());
      // A silent pair is paused: its visitor never hears that the server has gone.
      behind.once('close', () => behind.isPaused() || visitor.destroy());
    }
    visitor.on('error', () => undefined); // Who leaves without a word is the normal case here.
    visitor.once('close', () => {
      pairs.get(visitor)?.destroy();
      pairs.delete(visitor);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(server_url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const proxy: SilentProxy = {
    url: url.href,
    stayed_silent: false,
    open: () => pairs.size,
    fallSilent() {
      for (const [visitor, behind] of pairs) {
        visitor.unpipe(behind);
        behind.unpipe(visitor);
        // The end of whoever leaves is still seen; what it says is not.
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
