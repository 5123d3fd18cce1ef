import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REQUEST_EVENTS } from '../shared/adapters/owned-server.ts';
import { pause } from '../shared/ports/system.ts';
import type { ListenAddress } from './settings/setting-kinds.ts';

/** Starts listening on an address. @returns the address with the actual port. @throws Error with `code` EADDRINUSE if the port is taken. */
export function listen(server: Server, { host, port }: ListenAddress): Promise<ListenAddress> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // With `exclusive`, the processes of a cluster do not share the socket.
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve({ host, port: (server.address() as AddressInfo).port });
    });
  });
}

/**
 * Closes a server. From now on, each response closes its connection. A second later, the server stops accepting connections, and closes
 * each connection once it is idle. Running requests have `graceMs` to finish.
 */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  for (const event of REQUEST_EVENTS)
    server.prependListener(event, (_req: IncomingMessage, res: ServerResponse) => {
      res.shouldKeepAlive = false;
    });
  await pause(Math.min(graceMs, LAST_RESPONSES_MS));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // Close idle connections repeatedly, because Node does not close them by itself. A client may keep a connection open for over a minute
  // after its last response.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(grace);
}

/** For this time, the server still accepts connections, so that each busy connection gets a response that closes it. */
const LAST_RESPONSES_MS = 1_000;
const IDLE_CHECK_MS = 100;

/** Returns the URL of a listening address. */
export function urlOf({ host, port }: ListenAddress, scheme: 'http' | 'https' = 'http'): string {
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns the URL at which this machine reaches a listening address. If the server listens on all addresses, the URL has 127.0.0.1. */
export function localUrlOf({ host, port }: ListenAddress): string {
  return urlOf({ host: host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port });
}

/** Returns the address as `host:port`, the form of a setting. */
export function settingTextOf(address: ListenAddress): string {
  return urlOf(address).slice('http://'.length);
}
