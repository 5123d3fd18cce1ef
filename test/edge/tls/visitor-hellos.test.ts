import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { afterAll, expect, it } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST } from '../edge-under-test.ts';
import { certificatesFor } from './certificates-under-test.ts';
import { handshake } from './tls-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

it('the edge gives a slow first TLS message no more time than a whole handshake', async () => {
  const limits = { handshake_timeout_ms: 200 };
  await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) }, limits });
  const visitor = connect(edge.port, '127.0.0.1');
  // The edge may reset the connection. Without this listener, the error would fail the test.
  visitor.on('error', () => undefined);
  const closed = Promise.withResolvers<void>();
  visitor.once('close', () => closed.resolve());
  visitor.write(Buffer.from([22, 3, 1, 2, 0]));
  const trickle = setInterval(() => visitor.write('a'), 20);
  visitor.resume();
  await closed.promise;
  clearInterval(trickle);
});

it('the edge accepts a first TLS message that arrives byte by byte', async () => {
  await using edge = await edgeWith({}, { tls: { certificates: certificatesFor(ca, HOST) } });
  const socket = connect({ port: edge.port, host: '127.0.0.1', noDelay: true });
  const bytes = new Duplex({
    read: () => undefined,
    async write(chunk: Buffer, _encoding, done) {
      for (const byte of chunk) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
      done();
    },
  });
  socket.on('data', (chunk) => bytes.push(chunk));
  using visitor = await handshake(edge.port, HOST, { socket: bytes });
  expect(visitor.error).toBeNull();
  socket.destroy();
});
