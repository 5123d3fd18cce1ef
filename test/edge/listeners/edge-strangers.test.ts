import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import { edgeWith, HOST, type OriginUnderTest, originWith, route } from '../edge-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { parseAnswer, rawVisitor } from '../wire/raw-visitor.ts';
import { redirectServerWith } from './redirect-server-under-test.ts';
import { expectNoUncaughtError, outlivesStrangers } from './strangers.ts';

const ca = createThrowawayCa();
const tls = { certificates: certificatesFor(ca, HOST) };
let origin: OriginUnderTest;
beforeAll(async () => {
  origin = await originWith((req, res) => void setImmediate(() => res.end(req.url)));
});
afterAll(async () => {
  await origin[Symbol.asyncDispose]();
  ca[Symbol.dispose]();
});

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const limits = { keep_alive_ms: 60_000, headers_timeout_ms: 400 };
const routes = () => ({ [HOST]: route(origin.url) });

describe.each([
  ['the edge by HTTPS', () => edgeWith(routes(), { scheme: 'https', tls, limits }), 200, HOST],
  ['the edge by HTTP', () => edgeWith(routes(), { limits }), 200, undefined],
  ['the port for redirects', () => redirectServerWith(routes(), { limits }), 308, undefined],
] as const)('%s', (_, open, status, servername) => {
  expectNoUncaughtError();

  outlivesStrangers(async () => Object.assign(await open(), { request: GET, status, servername }));

  it('the edge treats a WebSocket handshake after another request as a plain request, and then closes the connection', async () => {
    await using server = await open();
    using visitor = await rawVisitor(server.port, servername);
    visitor.write(GET + GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'));
    const heads = (await visitor.ended()).split(/(?=HTTP\/1\.1 )/);
    expect(heads.map((head) => parseAnswer(head).status)).toEqual([status, status]);
    expect(heads.map((head) => parseAnswer(head).headers['connection'])).toEqual(['keep-alive', 'close']);
  });

  it('the edge closes the connection after a request whose Upgrade header it ignores', async () => {
    await using server = await open();
    using visitor = await rawVisitor(server.port, servername);
    visitor.write(GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n') + GET);
    const text = await visitor.ended();
    expect(parseAnswer(text)).toMatchObject({ status, headers: { connection: 'close' } });
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  it('the edge ends a connection if CONNECT is requested before an earlier request has its response', async () => {
    await using server = await open();
    using visitor = await rawVisitor(server.port, servername);
    visitor.write(`${GET}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`);
    // The edge must not send 400, because the client would take it for the response to the earlier request.
    expect(await visitor.ended()).not.toMatch(/^HTTP\/1\.1 400/);
  });
});

describe.each([
  ['in the middle of a request', 'GET / HTTP/1.1\r\nHo'],
  ['after a request', GET],
  ['after invalid bytes', 'garbage\r\n\r\n'],
])('a visitor who ends TLS and resets the connection %s', (_, bytes) => {
  it('leaves no socket of the edge behind', async () => {
    await using edge = await edgeWith(routes(), { scheme: 'https', tls, limits });
    const before = openSockets();
    for (let i = 0; i < 20; i++) {
      const stranger = await rawVisitor(edge.port, HOST);
      stranger.write(bytes);
      stranger.socket.end();
      stranger.reset();
    }
    // The kernel no longer lists a socket that was reset, but Node lists it until it is closed.
    await expect.poll(openSockets, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  });
});

function openSockets(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length;
}
