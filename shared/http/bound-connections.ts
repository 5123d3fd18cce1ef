import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ClientAddresses, clientAddresses, NO_HOPS } from '../adapters/client-addresses.ts';
import { REQUEST_EVENTS } from '../adapters/owned-server.ts';
import { BUDGETS } from '../core/budgets.ts';
import { createVisitorNetworks } from '../core/edge/visitor-networks.ts';

/** Limits for a client of the API: for all of its connections together, and for each connection. */
export const CONNECTION_BOUNDS = {
  /**
   * Maximum number of connections from one network. It is half of all connections: a load balancer is one network that needs many
   * connections, but other networks need connections too.
   */
  perNetworkMax: BUDGETS.api_connections.limit,
  /**
   * Maximum number of unfinished requests on one connection. Without this limit, a client that does not wait for responses could not be
   * slowed down.
   */
  pipelinedMax: BUDGETS.pipelined.limit,
};

/**
 * Makes a server close connections beyond the limits.
 * @param server a server from `createHttpServer`, which handles all `REQUEST_EVENTS`.
 * @param onDropped called for each connection that was closed.
 * @param addresses finds the clients behind trusted load balancers.
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
