import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import { playScript } from './play-script.ts';
import { rightOffer } from './tls-pieces.ts';

const GARBAGE = Buffer.from('\x17\x03\x03\x00\x05abcde', 'latin1');

test("the hostile test visitor survives a server that breaks the TLS connection during the visitor's empty writes", async () => {
  using ca = createThrowawayCa();
  const raw: Socket[] = [];
  const server = createServer(ca.selfSigned('DNS:a.example'), (socket) => {
    socket.on('error', () => undefined);
    for (const each of raw) each.write(GARBAGE);
  });
  server.on('connection', (socket) => raw.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const offer = rightOffer('a.example', 'http/1.1');
  const empty = { bytes: Buffer.alloc(0), pauseMs: 0 };
  const script = {
    title: 'empty writes',
    port: 'edge' as const,
    tls: { ...offer, tamper: { atByte: Number.MAX_SAFE_INTEGER, how: 'flip' as const } },
    writes: Array.from({ length: 1_000 }, () => empty),
    ending: 'reset' as const,
    deaf: false,
  };
  expect(await playScript(script, port, '127.0.0.1')).toBeNull();
  server.close();
});
