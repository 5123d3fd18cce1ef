import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { ReportConnectionError } from '../../adapters/owned-server.ts';
import type { DnsResponder, DnsTransport } from './dns-responder.ts';

/** An address with a port on which a DNS server listens. */
export interface DnsListener {
  port: number;
  /** Stops listening. Connections have `graceMs` to receive their responses. */
  close(graceMs: number): Promise<void>;
}

export interface DnsListenerOptions {
  respond: DnsResponder;
  /** Called for every message. @param response null if the message gets none. */
  onMessage: (transport: DnsTransport, response: Buffer | null) => void;
  onError: ReportConnectionError;
}

/** The kernel drops queries that arrive while this buffer is full. It may allow less (`net.core.rmem_max`). */
const RECEIVE_BUFFER_BYTES = 1 << 20;
/** Maximum size of the responses that wait in this process because the kernel's send buffer is full. Beyond it, responses are dropped. */
const WAITING_MAX = 1000;

/** Listens for queries over UDP. @throws Error with `code` EADDRINUSE if the port is taken. */
export async function listenUdp(
  host: string,
  port: number,
  { respond, onMessage, onError }: DnsListenerOptions,
): Promise<DnsListener> {
  const socket = createSocket({
    type: isIPv6(host) ? 'udp6' : 'udp4',
    // Leaves IPv4 to a listener of its own. Node refuses the option on an IPv4 socket.
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
  // An address that needs no lookup is bound at once, within the call.
  const listening = once(socket, 'listening');
  socket.bind({ port, address: host, exclusive: true });
  await listening;
  // A response that cannot be sent must not end the process.
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

/** Every address here is an IP address. Without this function, Node would defer each response to resolve it. */
function keepAddress(
  address: string,
  _options: unknown,
  done: (error: NodeJS.ErrnoException | null, address: string, family: number) => void,
): void {
  done(null, address, isIPv6(address) ? 6 : 4);
}
