import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { DnsResponder, DnsTransport } from './dns-responder.ts';

/** An address with a port on which a DNS server listens. */
export interface DnsListener {
  port: number;
  /** Stops listening. Waits up to `graceMs` until connections have received their responses. */
  close(graceMs: number): Promise<void>;
}

export interface DnsListenerOptions {
  respond: DnsResponder;
  /** Called for every message. @param response null if no response was sent. */
  onMessage: (transport: DnsTransport, response: Buffer | null) => void;
  onError: ReportConnectionError;
}

/**
 * The requested size of the kernel's receive buffer, which drops queries while it is full. The kernel may allow less (`net.core.rmem_max`).
 */
const RECEIVE_BUFFER_BYTES = 1 << 20;
/** Maximum number of responses that wait in this process because the kernel's send buffer is full. Further responses are dropped. */
const WAITING_MAX = 1000;

/** Listens for queries over UDP. @throws Error with `code` EADDRINUSE if the port is in use. */
export async function listenUdp(
  host: string,
  port: number,
  { respond, onMessage, onError }: DnsListenerOptions,
): Promise<DnsListener> {
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    // Does not accept IPv4, which has a listener of its own. Node refuses this option on an IPv4 socket.
    ...(isIPv6(host) && { ipv6Only: true }),
    recvBufferSize: RECEIVE_BUFFER_BYTES,
    lookup: keepAddress,
  });
  socket.on('message', (message, { address, port: from }) => {
    // A forged query can have the source port 0, to which nothing can be sent.
    if (from === 0) return onMessage('udp', null);
    const response = respond(message, 'udp', address);
    const isSent = response !== null && socket.getSendQueueCount() < WAITING_MAX;
    onMessage('udp', isSent ? response : null);
    if (isSent) socket.send(response, from, address);
  });
  // Listens before `bind`, because `bind` may emit the event at once if the address needs no lookup.
  const listening = once(socket, 'listening');
  socket.bind({ port, address: host, exclusive: true });
  await listening;
  // Handles errors, so that a response that cannot be sent does not end the process.
  socket.on('error', (error) => onError({ kind: 'node', error }));
  return {
    port: socket.address().port,
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/**
 * Returns an address unchanged. Without this function, Node would delay each response to resolve its address, which is always an IP
 * address.
 */
function keepAddress(
  address: string,
  _options: unknown,
  done: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void {
  done(null, address, isIPv6(address) ? 6 : 4);
}
