import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ClientAddresses, clientAddresses, NO_HOPS } from '../adapters/client-addresses.ts';
import { REQUEST_EVENTS } from '../adapters/owned-server.ts';
import { BUDGETS } from '../core/budgets.ts';
import { createVisitorNetworks } from '../core/edge/visitor-networks.ts';

/** Limits of a client of the API, over all connections and on one. */
export const CONNECTION_BOUNDS = {
  /**
   * Half of all connections, so that one network leaves room for others. A load balancer counts as one network and needs many connections.
   */
  perNetworkMax: BUDGETS.api_connections.limit,
  /** Maximum number of unfinished requests on one connection. A client that does not wait for responses cannot be slowed down otherwise. */
  pipelinedMax: BUDGETS.pipelined.limit,
};

/**
 * Closes connections beyond the limits.
 * @param server from `createHttpServer`, which serves every one of `REQUEST_EVENTS`.
 * @param onDropped called for each connection that was closed.
 * @param addresses finds the clients of the connections.
 */
export function boundConnections(
  server: Server,
  onDropped: () => void,
  { perNetworkMax, pipelinedMax } = CONNECTION_BOUNDS,
  addresses: Pick<ClientAddresses, 'of'> = clientAddresses(NO_HOPS),
): void {
  const networks = createVisitorNetworks();
  const unanswered = new WeakMap<Socket, number>();

  function drop(socket: Socket): void {
    onDropped();
    socket.destroy();
  }

  server.prependListener('connection', (socket: Socket) => {
    const address = addresses.of(socket);
    const count = networks.add(address);
    socket.once('close', () => networks.remove(address));
    if (count > perNetworkMax) drop(socket);
  });
  const countRequest = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    res.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (count === pipelinedMax + 1) drop(socket);
  };
  for (const event of REQUEST_EVENTS) server.prependListener(event, countRequest);
}
