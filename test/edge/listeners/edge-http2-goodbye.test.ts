import { expect, it } from 'vitest';
import { HOST, originWith } from '../edge-under-test.ts';
import { edgeTo, PSEUDO } from '../tls/tls-edge-under-test.ts';
import { ACK, GOAWAY, type RawHttp2, rawHttp2, SETTINGS } from '../wire/raw-http2.ts';
import { expectNoUncaughtError, expectOpen } from './strangers.ts';

expectNoUncaughtError();

const NO_ERROR = Buffer.alloc(8);

it.each([
  ['nothing', false],
  ['a request', true],
])('the edge closes an HTTP/2 connection if its visitor does not, after %s and GOAWAY', async (_, asks) => {
  await using origin = await originWith((_req, res) => res.end('hello'));
  await using edge = await edgeTo(origin.url, {
    limits: { keep_alive_ms: 60_000, headers_timeout_ms: 1_000 },
  });
  using good = await rawHttp2(edge.port, HOST);
  good.headers(1, [[':method', 'GET'], ...PSEUDO]);
  expect(await good.outcome(1)).toBe(200);
  const strangers = await Promise.all(Array.from({ length: 20 }, () => leaveOpen(edge.port, asks)));
  await expectOpen(edge.port, 1);
  good.headers(3, [[':method', 'GET'], ...PSEUDO]);
  expect(await good.outcome(3)).toBe(200);
  for (const stranger of strangers) stranger[Symbol.dispose]();
});

/** Opens an HTTP/2 connection, sends GOAWAY (RFC 9113 section 6.8), and leaves the connection open. */
async function leaveOpen(port: number, asks: boolean): Promise<RawHttp2> {
  const visitor = await rawHttp2(port, HOST);
  if (asks) {
    visitor.headers(1, [[':method', 'GET'], ...PSEUDO]);
    expect(await visitor.outcome(1)).toBe(200);
  }
  await visitor.until(({ type, flags }) => type === SETTINGS && flags === ACK);
  visitor.frame({ type: GOAWAY, payload: NO_ERROR });
  return visitor;
}
