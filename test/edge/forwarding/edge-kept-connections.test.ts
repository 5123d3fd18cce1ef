import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, route } from '../edge-under-test.ts';
import { send } from '../wire/raw-visitor.ts';

const GET = `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;
const at = (port: number) => ({ [HOST]: route(`http://127.0.0.1:${port}`) });

describe('an origin whose name has several addresses is reached at one of them', () => {
  it.each([2, 4, 8])('is reached even if only the last of its %i addresses works', async (count) => {
    await using origin = await rawServer({
      request: (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\na'),
    });
    const addresses = [...Array.from({ length: count - 1 }, (_, i) => `127.0.0.${i + 2}`), '127.0.0.1'];
    const routes = { [HOST]: route(`http://many.example:${origin.port}`) };
    await using edge = await edgeWith(routes, { lookup: async () => addresses });
    for (let i = 0; i < count + 1; i++) expect((await send(edge.port, GET)).status).toBe(200);
  });
});

describe('a kept connection may be closed by the origin as the edge sends the next request', () => {
  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na';
  const POST = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 1\r\n\r\nb`;

  /**
   * Sends two requests one after the other, so that the edge could reuse the first request's origin connection for the second. @returns the
   * status of the second request, and how many times that request arrived.
   */
  async function second(bytes: string, behave: (socket: Socket) => void) {
    const used = new Set<Socket>();
    await using origin = await rawServer({
      request: (socket) => (used.has(socket) ? behave(socket) : used.add(socket) && socket.write(ANSWER)),
    });
    await using edge = await edgeWith(at(origin.port));
    await send(edge.port, GET);
    const { status } = await send(edge.port, bytes);
    return { status, arrived: origin.requests.length - 1 };
  }

  it.each(['GET', 'OPTIONS', 'DELETE'])('does not cause an error for the visitor: %s', async (method) => {
    expect(await second(GET.replace('GET', method), (socket) => socket.end())).toEqual({
      status: 200,
      arrived: 2,
    });
  });

  it('does not cause an error for the visitor if the connection is reset', async () => {
    expect(await second(GET, (socket) => socket.resetAndDestroy())).toEqual({ status: 200, arrived: 2 });
  });

  it('causes a 502 if the request may have changed something', async () => {
    expect(await second(POST, (socket) => socket.end())).toEqual({ status: 502, arrived: 1 });
  });

  it('causes a 502 if a part of the response had arrived', async () => {
    const cut = (socket: Socket) => socket.end('HTTP/1.1 200');
    expect(await second(GET, cut)).toEqual({ status: 502, arrived: 1 });
  });

  it('the edge does not repeat a request that failed on a new connection', async () => {
    await using origin = await rawServer({ request: (socket) => socket.end() });
    await using edge = await edgeWith(at(origin.port));
    expect((await send(edge.port, GET)).status).toBe(502);
    expect(origin.requests).toHaveLength(1);
  });
});
