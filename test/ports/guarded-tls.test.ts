import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Pool } from 'undici';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type AddressLookup, createGuard } from '../../shared/adapters/guarded-connect.ts';
import { createOutbound } from '../../shared/adapters/guarded-outbound.ts';
import type { Outbound } from '../../shared/ports/outbound.ts';
import { createThrowawayCa } from '../fixtures/acme/throwaway-ca.ts';
import { rawServer } from '../fixtures/raw-server.ts';

const GOOD = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
const LONG_MS = 20_000;
const SHORT_MS = 250;

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());
let outbound: Outbound;
afterEach(() => outbound.close());

const local: AddressLookup = async () => ['127.0.0.1'];
const names = 'DNS:hook.test,DNS:localhost,IP:127.0.0.1';

function make() {
  outbound = createOutbound({
    allowLoopback: true,
    refusedAddresses: [],
    lookup: local,
    ca: [ca.certificate],
  });
}

function get(url: string, timeoutMs = LONG_MS) {
  return outbound.send({ method: 'GET', url, headers: {}, timeoutMs, maxResponseBytes: 1024 });
}

describe('TLS in the outbound client', () => {
  it.each([
    ['hook.test', 'hook.test'],
    ['HOOK.TEST.', 'hook.test'],
    ['localhost', 'localhost'],
    ['127.0.0.1', false],
  ])('to %s sends the server name %s and trusts the right certificate', async (host, servername) => {
    await using server = await rawServer({ tls: ca.issue(names), request: (socket) => socket.write(GOOD) });
    make();
    expect(await get(`https://${host}:${server.port}/`)).toMatchObject({ ok: true, status_code: 200 });
    expect((server.sockets[0] as TLSSocket).servername).toBe(servername);
    await outbound.close();
    await server.ended();
  });

  it("sends the URL's hostname as the server name even if the Host header is a visitor's, as on the edge", async () => {
    await using server = await rawServer({ tls: ca.issue(names), request: (socket) => socket.write(GOOD) });
    const guard = createGuard({
      allowLoopback: true,
      refusedAddresses: [],
      lookup: local,
      ca: [ca.certificate],
      connectTimeoutMs: LONG_MS,
    });
    const pool = new Pool(`https://hook.test:${server.port}`, { connect: guard.connect });
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/',
      headers: { host: 'visitor.test' },
    });
    await body.dump();
    expect(statusCode).toBe(200);
    expect(server.requests[0]).toContain('host: visitor.test');
    expect((server.sockets[0] as TLSSocket).servername).toBe('hook.test');
    await pool.close();
    await server.ended();
  });

  it.each([
    ['has expired', () => ca.issue(names, -1)],
    ['is self-signed', () => ca.selfSigned(names)],
    ['is for another name', () => ca.issue('DNS:other.test')],
    ['has no name', () => ca.issue('IP:127.0.0.2')],
  ])('fails with tls_error if the certificate %s', async (_what, tls) => {
    await using server = await rawServer({ tls: tls(), request: (socket) => socket.write(GOOD) });
    make();
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({ ok: false, problem: 'tls_error' });
    expect(server.requests).toEqual([]);
  });

  it('does not trust a certificate authority that the client was not given', async () => {
    await using server = await rawServer({ tls: ca.issue(names) });
    outbound = createOutbound({ allowLoopback: true, refusedAddresses: [], lookup: local });
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({ ok: false, problem: 'tls_error' });
  });

  it.each([
    [
      'speaks nothing newer than TLS 1.1',
      { maxVersion: 'TLSv1.1', minVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const,
    ],
    ['speaks HTTP/2 only', { ALPNProtocols: ['h2'] }],
  ])('fails with tls_error if the server %s', async (_what, options) => {
    await using server = await rawServer({
      tls: { ...ca.issue(names), ...options },
      request: (socket) => socket.write(GOOD),
    });
    make();
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({ ok: false, problem: 'tls_error' });
  });

  it.each([
    ['responds in plain HTTP', 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'],
    ['answers garbage', '\u0000\u00ff\u0000\u00ff garbage garbage'],
    ['sends a fatal alert', '\u0015\u0003\u0003\u0000\u0002\u0002\u0028'],
    ['sends an oversized record', `\u0016\u0003\u0003\u00ff\u00ff${'x'.repeat(70_000)}`],
  ])('fails with tls_error if the server %s', async (_what, answer) => {
    await using server = await rawServer({
      connection: (socket) => Boolean(socket.once('data', () => socket.write(answer, 'latin1'))),
    });
    make();
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({ ok: false, problem: 'tls_error' });
    await server.ended();
  });

  it('fails with tls_error if the server sends bytes that are not TLS after the handshake', async () => {
    let front: Socket | undefined;
    await using server = await rawServer({
      tls: ca.issue(names),
      request: () => front?.write('x'.repeat(64)),
    });
    await using broken = await rawServer({
      connection(socket) {
        front = socket;
        const back = connect(server.port, '127.0.0.1');
        socket.pipe(back).pipe(socket);
        socket.on('close', () => back.destroy());
        return false;
      },
    });
    make();
    expect(await get(`https://hook.test:${broken.port}/`)).toMatchObject({ ok: false, problem: 'tls_error' });
    expect(server.requests).toHaveLength(1);
  });

  it('fails with a timeout if the server never completes the handshake, and close ends the connection', async () => {
    await using server = await rawServer({});
    make();
    expect(await get(`https://hook.test:${server.port}/`, SHORT_MS)).toMatchObject({
      ok: false,
      problem: 'timeout',
    });
    // Polls, because on a busy machine, the server accepts the connection only after the client's deadline.
    await expect.poll(() => server.open()).toBe(1);
    await outbound.close();
    await server.ended();
  });

  it.each([
    ['resets', 'resetAndDestroy'],
    ['ends', 'end'],
  ] as const)('fails with connection_failed if the server %s in the handshake', async (_what, end) => {
    await using server = await rawServer({
      connection: (socket) => Boolean(socket.once('data', () => socket[end]())),
    });
    make();
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({
      ok: false,
      problem: 'connection_failed',
    });
  });

  it('limits an endless response just like plain HTTP', async () => {
    await using server = await rawServer({
      tls: ca.issue(names),
      request(socket) {
        const more = () => {
          while (socket.write('x'.repeat(4096)));
        };
        socket.write('HTTP/1.1 200 ');
        socket.on('drain', more);
        more();
      },
    });
    make();
    expect(await get(`https://hook.test:${server.port}/`)).toMatchObject({
      ok: false,
      problem: 'connection_failed',
    });
    await server.ended();
  });
});
