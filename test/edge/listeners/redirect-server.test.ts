import { describe, expect, it } from 'vitest';
import { HOST, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor, send } from '../wire/raw-visitor.ts';
import { redirectServerWith } from './redirect-server-under-test.ts';

const ROUTES = {
  [HOST]: route('https://origin.example'),
  'held.acme.com': 'held' as const,
  'www.acme.com': route(null, { redirectTo: 'acme.com' }),
};

describe("the edge's listener on port 80 redirects to HTTPS", () => {
  it.each([
    [HOST, '/a/b?c=d&e=', `https://${HOST}/a/b?c=d&e=`],
    [`${HOST}:80`, '/', `https://${HOST}/`],
    [`${HOST.toUpperCase()}.`, '/', `https://${HOST}/`],
    ['www.acme.com', '/a?b', 'https://acme.com/a?b'],
    [HOST, '//evil.example/', `https://${HOST}//evil.example/`],
  ])('redirects %s to the same address over HTTPS', async (host, path, location) => {
    await using server = await redirectServerWith(ROUTES);
    const answer = await send(server.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(answer).toMatchObject({
      status: 308,
      headers: { location, 'x-request-id': expect.stringMatching(/^req_/) },
    });
  });

  it("redirects to the edge's HTTPS port if that port is not 443", async () => {
    await using server = await redirectServerWith(ROUTES, { httpsPort: 8443, localhostSuffix: true });
    const answer = await send(server.port, `GET /a HTTP/1.1\r\nHost: ${HOST}.localhost:8080\r\n\r\n`);
    expect(answer.headers['location']).toBe(`https://${HOST}.localhost:8443/a`);
  });

  it.each([
    ['an unknown hostname', 404, 'GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['a held hostname', 451, 'GET / HTTP/1.1\r\nHost: held.acme.com\r\n\r\n'],
    ['no hostname', 400, 'GET / HTTP/1.1\r\n\r\n'],
    [
      'an absolute address of an unknown hostname',
      404,
      `GET http://evil.example/ HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`,
    ],
    ['a smuggled body', 400, `POST / HTTP/1.1\r\nHost: ${HOST}\r\nTransfer-Encoding: x\r\n\r\n`],
    ['a TLS handshake', 501, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('responds to %s itself', async (_, status, bytes) => {
    await using server = await redirectServerWith(ROUTES);
    expect((await send(server.port, bytes)).status).toBe(status);
  });

  it('redirects a WebSocket handshake, and ends the connection', async () => {
    await using server = await redirectServerWith(ROUTES);
    using visitor = await rawVisitor(server.port);
    visitor.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    expect(parseAnswer(await visitor.ended()).status).toBe(308);
  });
});
