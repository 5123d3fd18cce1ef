import { describe, expect, it } from 'vitest';
import type { OutboundRequest } from '../../shared/ports/outbound.ts';
import { type RawBehaviour, rawServer } from '../fixtures/raw-server.ts';
import {
  GOOD,
  HEAD,
  LONG_MS,
  outboundOfEachTest,
  type Serve,
  SHORT_MS,
  write,
  writeAndEnd,
} from './outbound-under-test.ts';

const { outbound, post } = outboundOfEachTest();

/** Returns a handler that writes data and resets the connection a moment later. Without the pause, the reset would overtake the data. */
const writeAndReset =
  (text: string): Serve =>
  (socket) =>
    socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
/** Returns a handler that writes without end, as fast as the client reads. */
const endless =
  (start: string, piece: string): Serve =>
  (socket) => {
    socket.write(start);
    const more = () => {
      while (socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };
/** Returns a handler that writes a few bytes every few milliseconds, without end. */
const drip =
  (start: string, piece: string): Serve =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.on('close', () => clearInterval(timer));
  };

const SIXTEEN_KB = 'x'.repeat(16 * 1024);

describe('the outbound client survives a server that misbehaves, and its next request succeeds', () => {
  const TIMEOUT: [string, Serve][] = [
    ['nothing at all', () => undefined],
    ['a status line that stops', write('HTTP/1.1 20')],
    ['a dripping status line', drip('HTTP/1.1 200 ', 'O')],
    ['dripping header bytes', drip(`${HEAD}X-Slow: `, 'a')],
    ['dripping headers', drip(HEAD, 'X: y\r\n')],
    ['headers that never end', write(`${HEAD}Content-Length: 2\r\n`)],
    ['dripping 103 responses', drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ];
  it.each(TIMEOUT)('the result of %s is a timeout', async (_title, serve) => {
    await survives(serve, { ok: false, problem: 'timeout' }, SHORT_MS);
  });

  const FAILED: [string, Serve][] = [
    ['an end without a response', (socket) => socket.end()],
    ['a reset without a response', (socket) => socket.resetAndDestroy()],
    ['an end in the status line', writeAndEnd('HTTP/1.1 2')],
    ['a reset in the status line', writeAndReset('HTTP/1.1 2')],
    ['an end in the headers', writeAndEnd(`${HEAD}X-Cut: a`)],
    ['a reset in the headers', writeAndReset(`${HEAD}X-Cut: a`)],
    ['an endless status line', endless('HTTP/1.1 200 ', SIXTEEN_KB)],
    ['an endless header name', endless(HEAD, SIXTEEN_KB)],
    ['an endless header line', endless(`${HEAD}X-Long: `, SIXTEEN_KB)],
    ['endless headers', endless(HEAD, 'X-Many: yes\r\n'.repeat(1000))],
    ['endless headers without a value', endless(HEAD, 'X:\r\n'.repeat(4000))],
    ['endless 103 responses', endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500))],
    [
      'endless 102 responses with headers',
      endless('', 'HTTP/1.1 102 Processing\r\nX: y\r\n\r\n'.repeat(500)),
    ],
    ['an end after a 103 response', writeAndEnd('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['garbage', write('\u0000\u0001\u0002\r\n\r\n garbage \r\n\r\n')],
    ['endless garbage', endless('', '\u00ff'.repeat(5000))],
    ['an HTTP/0.9 response', writeAndEnd('<html>hello</html>')],
    ['an SMTP response', write('220 mail.example.com ESMTP\r\n')],
    ['an SSH response', write('SSH-2.0-OpenSSH_9.9\r\n')],
    ['a request in place of a response', write('POST / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['an unknown version', write('HTTP/9.9 200 OK\r\n\r\n')],
    ['an HTTP/2 preface', write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['a status of two digits', write('HTTP/1.1 20 OK\r\n\r\n')],
    ['a status of four digits', write('HTTP/1.1 2000 OK\r\n\r\n')],
    ['a status that is not a number', write('HTTP/1.1 abc OK\r\n\r\n')],
    ['status 000', write('HTTP/1.1 000 Zero\r\nContent-Length: 0\r\n\r\n')],
    ['status 099', write('HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n')],
    ['a space in a header name', write(`${HEAD}Bad Name: x\r\nContent-Length: 0\r\n\r\n`)],
    ['a header without a colon', write(`${HEAD}BadHeader\r\nContent-Length: 0\r\n\r\n`)],
    ['a NUL in a header', write(`${HEAD}X: a\u0000b\r\nContent-Length: 0\r\n\r\n`)],
    [
      'Content-Length and Transfer-Encoding',
      write(`${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    ],
    ['two different Content-Lengths', write(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`)],
    ['a Content-Length that is not a number', write(`${HEAD}Content-Length: two\r\n\r\nab`)],
    ['a negative Content-Length', write(`${HEAD}Content-Length: -1\r\n\r\n`)],
    ['an oversized Content-Length', write(`${HEAD}Content-Length: ${'9'.repeat(40)}\r\n\r\nab`)],
    [
      '101 Switching Protocols',
      write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    ],
    ['101 without Upgrade', write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
  ];
  it.each(FAILED)('the result of %s is a failed connection', async (_title, serve) => {
    await survives(serve, { ok: false, problem: 'connection_failed' });
  });

  const LATE_BODY: [string, Serve][] = [
    ['a dripping body', drip(`${HEAD}Content-Length: 9999\r\n\r\n`, 'x')],
    ['a dripping chunked body', drip(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n')],
    ['a body that stops', write(`${HEAD}Content-Length: 9\r\n\r\nabc`)],
    ['a body without a length or an end', write(`${HEAD}\r\nabc`)],
    ['a dripping chunk extension', drip(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`, 'x')],
  ];
  it.each(LATE_BODY)('the result of %s is a response', async (_title, serve) => {
    await survives(serve, { ok: true, status_code: 200 }, SHORT_MS);
  });
  it.each(LATE_BODY)('the result of %s is a timeout if the body is requested', async (_title, serve) => {
    await survives(serve, { ok: false, problem: 'timeout' }, SHORT_MS, { keepBody: true });
  });

  const BROKEN_BODY: [string, Serve][] = [
    ['a reset after the headers', writeAndReset(`${HEAD}Content-Length: 5\r\n\r\n`)],
    ['a reset in the body', writeAndReset(`${HEAD}Content-Length: 5\r\n\r\nabc`)],
    ['a body shorter than its length', writeAndEnd(`${HEAD}Content-Length: 5\r\n\r\nabc`)],
    ['an end in a chunk', writeAndEnd(`${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab`)],
    ['an end before the last chunk', writeAndEnd(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`)],
    [
      'endless trailers',
      endless(`${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-Many: yes\r\n'.repeat(1000)),
    ],
    ['an endless chunk extension', endless(`${HEAD}Transfer-Encoding: chunked\r\n\r\n1;`, SIXTEEN_KB)],
    [
      'a chunk size that is not a number',
      write(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n0\r\n\r\n`),
    ],
    ['a negative chunk size', write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n0\r\n\r\n`)],
    ['an oversized chunk size', write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(40)}\r\nab`)],
    [
      'a chunk longer than its size',
      write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nabcdef\r\n0\r\n\r\n`),
    ],
  ];
  it.each(BROKEN_BODY)(
    'the result of %s is a response if the body is not requested',
    async (_title, serve) => {
      await survives(serve, { ok: true, status_code: 200 });
    },
  );
  it.each(BROKEN_BODY)(
    'the result of %s is a failed connection if the body is requested',
    async (_title, serve) => {
      await survives(serve, { ok: false, problem: 'connection_failed' }, LONG_MS, { keepBody: true });
    },
  );

  it('a body that drips is cut off after one second, whatever the timeout', async () => {
    await survives(drip(`${HEAD}Content-Length: 9999\r\n\r\n`, 'x'), { ok: true, status_code: 200 });
  });

  const ANSWERED: [string, number, Serve][] = [
    [
      'a body longer than its length',
      200,
      write(`${HEAD}Content-Length: 2\r\n\r\nab${GOOD.replace('200', '500')}`),
    ],
    [
      'two responses to one request',
      200,
      write(`${HEAD}Content-Length: 0\r\n\r\n${HEAD}Content-Length: 0\r\n\r\n`),
    ],
    [
      'a response after a 103',
      202,
      write('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'),
    ],
    ['a response of HTTP/1.0', 200, writeAndEnd('HTTP/1.0 200 OK\r\n\r\nhello')],
    ['a response without a reason', 200, write('HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n')],
    ['a body that ends with the connection', 200, writeAndEnd(`${HEAD}\r\nhello`)],
    ['204 with a body', 204, write('HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello')],
    [
      '204 with a chunked body',
      204,
      write('HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'),
    ],
    ['204 with unannounced bytes', 204, write('HTTP/1.1 204 No Content\r\n\r\nhello')],
    ['205 with a body', 205, write('HTTP/1.1 205 Reset Content\r\nContent-Length: 5\r\n\r\nhello')],
    ['304 with a body', 304, write('HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello')],
    [
      '200 with Upgrade',
      200,
      write(`${HEAD}Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n`),
    ],
    [
      '426 with Upgrade',
      426,
      write(
        'HTTP/1.1 426 Upgrade Required\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n',
      ),
    ],
    ['status 599', 599, write('HTTP/1.1 599 Odd\r\nContent-Length: 0\r\n\r\n')],
    ['status 999', 999, write('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n')],
    [
      'a redirect',
      302,
      write('HTTP/1.1 302 Found\r\nLocation: http://10.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
    ],
    ['an endless body', 200, endless(`${HEAD}\r\n`, SIXTEEN_KB)],
    [
      'an endless chunked body',
      200,
      endless(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `4000\r\n${SIXTEEN_KB}\r\n`),
    ],
    [
      'an endless body in chunks of one byte',
      200,
      endless(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(500)),
    ],
    ['a body of a terabyte', 200, endless(`${HEAD}Content-Length: 1099511627776\r\n\r\n`, SIXTEEN_KB)],
    ['Connection: close', 200, write(`${HEAD}Connection: close\r\nContent-Length: 0\r\n\r\n`)],
    [
      'an excessive Keep-Alive',
      200,
      write(`${HEAD}Keep-Alive: timeout=999999999999\r\nContent-Length: 0\r\n\r\n`),
    ],
    ['a Keep-Alive of zero', 200, write(`${HEAD}Keep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n`)],
    ['a header named __proto__', 200, write(`${HEAD}__proto__: x\r\nContent-Length: 0\r\n\r\n`)],
  ];
  it.each(ANSWERED)(
    'the result of %s is a response with the status %i',
    async (_title, statusCode, serve) => {
      await survives(serve, { ok: true, status_code: statusCode });
    },
  );

  async function survives(
    serve: Serve,
    outcome: object,
    timeoutMs = LONG_MS,
    changes: Partial<OutboundRequest> = {},
  ): Promise<void> {
    const request: RawBehaviour['request'] = (socket, number) =>
      number === 0 ? serve(socket) : socket.write(GOOD);
    await using server = await rawServer({ request });
    expect(await post(server, { timeoutMs, ...changes })).toMatchObject(outcome);
    expect(await post(server)).toMatchObject({ ok: true, status_code: 200, headers: { 'x-good': '1' } });
    expect(server.requests).toHaveLength(2);
    await outbound().close();
    await server.ended();
  }

  it('the result of a connection that the server closes immediately is a failed connection', async () => {
    await using server = await rawServer({ connection: (socket) => Boolean(socket.resetAndDestroy()) });
    expect(await post(server)).toMatchObject({ ok: false, problem: 'connection_failed' });
    expect(server.sockets).toHaveLength(1);
  });

  it('the result of a port where nothing listens is a failed connection', async () => {
    const server = await rawServer({});
    await server[Symbol.asyncDispose]();
    expect(await post(server)).toMatchObject({ ok: false, problem: 'connection_failed' });
  });

  it('the result of a request that the server never reads is a timeout, even with a body larger than all buffers', async () => {
    await using server = await rawServer({ connection: () => false });
    const body = 'x'.repeat(32 * 1024 * 1024);
    expect(await post(server, { timeoutMs: SHORT_MS, body })).toMatchObject({
      ok: false,
      problem: 'timeout',
    });
    await outbound().close();
    await server.ended();
  });
});
