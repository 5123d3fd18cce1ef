import type { Socket } from 'node:net';
import { afterEach, beforeEach } from 'vitest';
import { createOutbound } from '../../shared/adapters/guarded-outbound.ts';
import type { Outbound, OutboundRequest, OutboundResult } from '../../shared/ports/outbound.ts';
import type { RawServer } from '../fixtures/raw-server.ts';

/** Opens an outbound client for each test of a file, and closes it afterwards. */
export function outboundOfEachTest() {
  let outbound: Outbound;
  beforeEach(() => {
    outbound = createOutbound({ allowLoopback: true, refusedAddresses: [] });
  });
  afterEach(() => outbound.close());

  return {
    outbound: () => outbound,
    /** Sends a POST request to the server. */
    post: ({ port }: RawServer, changes: Partial<OutboundRequest> = {}): Promise<OutboundResult> =>
      outbound.send({
        method: 'POST',
        url: `http://127.0.0.1:${port}/hook`,
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
        timeoutMs: LONG_MS,
        maxResponseBytes: 16 * 1024,
        ...changes,
      }),
  };
}

export const GOOD = 'HTTP/1.1 200 OK\r\nX-Good: 1\r\nContent-Length: 2\r\n\r\nok';
export const LONG_MS = 20_000;
export const SHORT_MS = 250;

export type Serve = (socket: Socket) => void;
export const write =
  (text: string): Serve =>
  (socket) =>
    socket.write(text);
export const writeAndEnd =
  (text: string): Serve =>
  (socket) =>
    socket.end(text);
export const HEAD = 'HTTP/1.1 200 OK\r\n';
