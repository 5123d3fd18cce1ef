import type { Duplex } from 'node:stream';
import type { VisitorRequest } from '../visitor-request.ts';
import { headerLines } from '../wire/raw-headers.ts';
import type { Upgrade } from '../wire/wire.ts';

/** Joins visitor and origin after `101 Switching Protocols`: raw bytes both ways, until either ends or none moves for `idle_ms`. */
export function openTunnel({ request, upgrade, origin_socket: origin, headers, idle_ms }: Tunnel): void {
  request.tunnel();
  const visitor = upgrade.detach();
  // A WebSocket has no use for a half-closed connection: when one side has ended and its last bytes have left, it is over.
  origin.once('finish', () => origin.destroy());
  // An error is followed by close, and close is what ends the other side: after what it was sent has left.
  visitor.on('error', () => undefined).once('close', () => origin.destroy());
  origin.on('error', () => undefined).once('close', () => visitor.destroySoon());
  // Every byte of the tunnel passes the visitor's socket, one way or the other, so its timer sees them all.
  visitor.setTimeout(idle_ms, () => visitor.destroy());

  const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n';
  visitor.write(`${switching}${headerLines(headers)}\r\n`, 'latin1');
  if (upgrade.head.length > 0) origin.write(upgrade.head);
  visitor.pipe(origin);
  origin.pipe(visitor);
}

interface Tunnel {
  request: VisitorRequest;
  upgrade: Upgrade;
  origin_socket: Duplex;
  /** The origin's, without those of its connection. */
  headers: readonly string[];
  idle_ms: number;
}
