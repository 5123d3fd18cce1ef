import type { Duplex } from 'node:stream';
import type { VisitorRequest } from '../visitor-request.ts';
import { headerLines } from '../wire/raw-headers.ts';
import type { Upgrade } from '../wire/wire.ts';

/**
 * Joins the connections of visitor and origin after `101 Switching Protocols`. Forwards raw bytes in both directions until one side ends or
 * no byte moves for `idleMs`. Once the origin has closed its connection, the time limit is `lastBytesMs`.
 */
export function openTunnel(tunnel: Tunnel): void {
  const { request, upgrade, originSocket: origin, headers, idleMs, lastBytesMs } = tunnel;
  request.tunnel();
  const visitor = upgrade.detach();
  // WebSockets do not use half-closed connections. When one side has ended and its last bytes were sent, the tunnel is over.
  origin.once('finish', () => origin.destroy());
  // Ignores errors, because `close` follows each of them and ends the other side once its pending bytes are sent.
  visitor.on('error', () => undefined).once('close', () => origin.destroy());
  origin
    .on('error', () => undefined)
    .once('close', () => {
      // If a visitor has reset the connection, Node may never complete a write over TLS. The timeout then closes the socket.
      visitor.setTimeout(lastBytesMs);
      visitor.destroySoon();
    });
  // Every byte of the tunnel passes through the visitor's socket, so its timer sees the traffic of both directions.
  visitor.setTimeout(idleMs, () => visitor.destroy());

  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  visitor.write(`${switching}${headerLines(headers)}\r\n`, 'latin1');
  if (upgrade.head.length > 0) origin.write(upgrade.head);
  visitor.pipe(origin);
  origin.pipe(visitor);
}

interface Tunnel {
  request: VisitorRequest;
  upgrade: Upgrade;
  originSocket: Duplex;
  /** The origin's response headers without hop-by-hop headers. */
  headers: readonly string[];
  idleMs: number;
  lastBytesMs: number;
}
