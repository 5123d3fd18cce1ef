import { describe, expect, it } from 'vitest';
import { rawServer } from '../../fixtures/raw-server.ts';
import { edgeWith, HOST, route } from '../edge-under-test.ts';
import { parseAnswer, rawVisitor } from './raw-visitor.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const CLOSE = `Host: ${HOST}\r\nConnection: close\r\n`;
const GET = `GET / HTTP/1.1\r\n${CLOSE}\r\n`;

/**
 * Sends a request through an edge to an origin that responds with these bytes. @returns the response, and the request line that reached the
 * origin.
 */
async function exchange(request: string, response = OK) {
  await using origin = await rawServer({ request: (socket) => socket.end(response, 'latin1') });
  await using edge = await edgeWith({ [HOST]: route(`http://127.0.0.1:${origin.port}`) });
  using visitor = await rawVisitor(edge.port);
  visitor.write(request);
  const { status, body } = parseAnswer(await visitor.ended());
  return { status, body: status === 200 ? body : '', arrived: origin.requests[0]?.split('\r\n')[0] };
}

describe('bytes that HTTP parsers interpret differently are handled in one defined way', () => {
  it('a response whose lines end with a line feed alone is 502', async () => {
    expect(await exchange(GET, OK.replaceAll('\r\n', '\n'))).toMatchObject({ status: 502 });
  });

  it('a space after the size of a chunk breaks a response off', async () => {
    const { body } = await exchange(GET, `HTTP/1.1 200 OK\r\n${CHUNKED}1 \r\na\r\n0\r\n\r\n`);
    expect(body).toBe('');
  });

  it('a space after the size of a chunk is refused in a request', async () => {
    const bytes = `POST / HTTP/1.1\r\n${CLOSE}${CHUNKED}1 \r\na\r\n0\r\n\r\n`;
    expect(await exchange(bytes)).toMatchObject({ status: 400 });
  });

  it('a method in lowercase is 501', async () => {
    expect(await exchange(GET.replace('GET', 'get'))).toMatchObject({ status: 501, arrived: undefined });
  });

  it('an encoded NUL in the path reaches the origin', async () => {
    const bytes = GET.replace('/ ', '/a%00b ');
    expect(await exchange(bytes)).toMatchObject({ status: 200, arrived: 'GET /a%00b HTTP/1.1' });
  });
});
