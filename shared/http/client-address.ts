import type { IncomingMessage, Server } from 'node:http';
import type { ClientAddresses } from '../adapters/client-addresses.ts';
import { REQUEST_EVENTS } from '../adapters/owned-server.ts';
import { visitorAddress } from '../core/edge/visitor-networks.ts';
import { type AddressSet, unmapped } from '../core/net/address-set.ts';

const addresses = new WeakMap<object, string>();

/**
 * Records the client of each request, for a server with trusted proxies or load balancers in front of it.
 * @param proxies proxies whose `X-Forwarded-For` is trusted.
 */
export function recordClients(server: Server, connected: ClientAddresses, proxies: AddressSet): void {
  const record = (req: IncomingMessage) => {
    const forwardedFor = req.headersDistinct['x-forwarded-for'] ?? [];
    addresses.set(req, visitorAddress(connected.of(req.socket), forwardedFor, proxies));
  };
  for (const event of REQUEST_EVENTS) server.prependListener(event, record);
}

/** Returns the address of a request's client: the recorded one, or the one that connected. */
export function clientAddressOf(req: Pick<IncomingMessage, 'socket'>): string {
  return addresses.get(req) ?? unmapped(req.socket.remoteAddress ?? '');
}
