import { describe, expect, it } from 'vitest';
import { edgeWith, HOST, originWith, route } from './edge-under-test.ts';
import { send } from './wire/raw-visitor.ts';

const PATH = '/readyz/edge';
/** A hostname with only the characters of an IPv6 address. */
const HEX = '4.cafe.de';

describe("a health check at the edge's port for visitors is answered by the edge", () => {
  it('says whether the edge is ready, at each of its addresses', async () => {
    let isReady = true;
    await using edge = await edgeWith({}, { isReady: () => isReady });
    const check = async (host: string, method = 'GET') => {
      await edge.collected();
      const { status, body } = await send(
        edge.port,
        `${method} ${PATH} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      );
      return `${status} ${body}`;
    };
    for (const host of ['127.0.0.1', `127.0.0.1:${edge.port}`, '[::1]', '[::1]:80'])
      expect(await check(host)).toMatch(/^200 .*This edge is ready for visitors/s);
    isReady = false;
    expect(await check('127.0.0.1')).toMatch(/^503 .*This edge is not ready for visitors/s);
    expect(await check('127.0.0.1', 'HEAD')).toBe('503 ');
    expect(edge.asked).toEqual([]);
  });

  it('is not confused with a request for the same path of a domain, or for another path', async () => {
    await using origin = await originWith((request, response) => response.end(request.url));
    await using edge = await edgeWith(
      { [HOST]: route(origin.url), [HEX]: route(origin.url, { hostname: HEX }) },
      { isReady: () => true },
    );
    const visit = (host: string, path: string) =>
      send(edge.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    for (const host of [HOST, HEX])
      expect(await visit(host, PATH)).toMatchObject({ status: 200, body: PATH });
    expect(await visit('127.0.0.1', `${PATH}/more`)).toMatchObject({ status: 404 });
    expect(await visit('127.0.0.1', '/')).toMatchObject({ status: 404 });
  });
});
