import { once } from 'node:events';
import { connect as netConnect, type Socket } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { expect, it } from 'vitest';
import { isPartial, readClientHello } from '../../../shared/edge/tls/client-hello.ts';
import { rawServer } from '../../fixtures/raw-server.ts';

/** Returns the ClientHello that an OpenSSL client sends. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const said = Promise.withResolvers<Buffer>();
  await using server = await rawServer({
    connection(socket) {
      let bytes = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk]);
        if (!isPartial(bytes)) said.resolve(bytes);
      });
      return false;
    },
  });
  const socket: Socket = netConnect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  connect({ ...options, socket }).on('error', () => undefined);
  const bytes = await said.promise;
  socket.destroy();
  return bytes;
}

const FIRST = await helloOf({ servername: 'Careers.Acme.com', maxVersion: 'TLSv1.2' });

it.each<[ConnectionOptions, ReturnType<typeof readClientHello>]>([
  [{ servername: 'jobs.acme.com' }, { servername: 'jobs.acme.com', offersTls13: true }],
  [
    { servername: 'jobs.acme.com', maxVersion: 'TLSv1.2' },
    { servername: 'jobs.acme.com', offersTls13: false },
  ],
  [{ maxVersion: 'TLSv1.2' }, { servername: '', offersTls13: false }],
])('the ClientHello of a client with %j is read as %j', async (options, hello) => {
  expect(readClientHello(await helloOf(options))).toEqual(hello);
});

it('the parser of the ClientHello returns the name in lowercase', () => {
  expect(readClientHello(FIRST)?.servername).toBe('careers.acme.com');
});

it('the parser of the ClientHello waits for more bytes until the record is complete', () => {
  for (let length = 0; length < FIRST.length; length++) {
    expect(isPartial(FIRST.subarray(0, length))).toBe(true);
    expect(readClientHello(FIRST.subarray(0, length))).toBeNull();
  }
  expect(isPartial(FIRST)).toBe(false);
  expect(isPartial(Buffer.concat([FIRST, FIRST]))).toBe(false);
});

it('the parser of the ClientHello stops waiting if the bytes are not TLS, or announce too long a record', () => {
  expect(isPartial(Buffer.from('GET / HTTP/1.1'))).toBe(false);
  expect(isPartial(Buffer.from([22, 3, 1, 0xff, 0xff]))).toBe(false);
  expect(readClientHello(Buffer.from('GET / HTTP/1.1'))).toBeNull();
});

it('the parser of the ClientHello never throws on a wrong length', () => {
  for (let at = 5; at < FIRST.length; at++) {
    for (const lie of [0, 1, 0x7f, 0xff]) {
      const bytes = Buffer.from(FIRST);
      bytes[at] = lie;
      const read = readClientHello(bytes);
      if (read !== null)
        expect(read).toEqual({ servername: expect.any(String), offersTls13: expect.any(Boolean) });
    }
  }
});
