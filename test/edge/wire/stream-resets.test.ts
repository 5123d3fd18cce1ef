import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import {
  type EdgeUnderTest,
  edgeWith,
  HOST,
  type OriginUnderTest,
  originWith,
  reportsRequests,
  route,
} from '../edge-under-test.ts';
import { BEHIND_BALANCER, BEHIND_PROXY, DIRECT, type HopUnderTest } from '../listeners/hops-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { GET, POST } from './hostile-http2.ts';
import { DATA, END_HEADERS, END_STREAM, type RawHttp2, RST_STREAM, rawHttp2 } from './raw-http2.ts';

const BURST = 20;
const STREAMS = Array.from({ length: 2 * BURST }, (_, n) => 2 * n + 1);
const CANCEL = Buffer.from([0, 0, 0, 8]);

const ca = createThrowawayCa();
let origin: OriginUnderTest;
/** Number of requests whose headers reached the origin. */
let begun = 0;

beforeAll(async () => {
  origin = await originWith((req, res) => {
    begun++;
    req.resume().on('end', () => res.end('from the origin'));
  });
});
beforeEach(() => {
  begun = 0;
});
afterAll(async () => {
  ca[Symbol.dispose]();
  await origin[Symbol.asyncDispose]();
});

function edgeBehind({ hops }: HopUnderTest): Promise<EdgeUnderTest> {
  return edgeWith(
    { [HOST]: route(origin.url) },
    {
      scheme: 'https',
      tls: { certificates: certificatesFor(ca, HOST) },
      limits: { stream_resets_burst: BURST, stream_resets_per_s: 1 },
      ...(hops && { hops }),
    },
  );
}

function resetAll(visitor: RawHttp2): void {
  for (const stream of STREAMS) visitor.frame({ type: RST_STREAM, stream, payload: CANCEL });
}

/** Sends one more request on the connection. */
function next(visitor: RawHttp2): ReturnType<RawHttp2['outcome']> {
  visitor.headers(1001, GET);
  return visitor.outcome(1001);
}

async function expectUp({ port }: EdgeUnderTest, { proxyHeader }: HopUnderTest): Promise<void> {
  using other = await rawHttp2(port, HOST, { proxyHeader });
  expect(await next(other)).toBe(200);
}

test.each([
  ['a visitor', DIRECT],
  ['a visitor behind a load balancer', BEHIND_BALANCER],
] as const)(
  '%s that resets too many streams at once gets no further response on the connection',
  async (_, hop) => {
    await using edge = await edgeBehind(hop);
    using visitor = await rawHttp2(edge.port, HOST, hop);
    for (const stream of STREAMS) visitor.headers(stream, GET);
    resetAll(visitor);
    expect(await next(visitor)).not.toBe(200);
    await expectUp(edge, hop);
  },
);

test('an HTTP/2 visitor that resets too many uploads gets no further response on the connection', async () => {
  await using edge = await edgeBehind(DIRECT);
  using visitor = await rawHttp2(edge.port, HOST);
  for (const stream of STREAMS) {
    visitor.headers(stream, POST, END_HEADERS);
    visitor.frame({ type: DATA, stream, payload: Buffer.from('a') });
  }
  await expect.poll(() => begun).toBe(STREAMS.length);
  resetAll(visitor);
  expect(await next(visitor)).not.toBe(200);
});

test('an HTTP/2 visitor that resets too many responses gets no further response on the connection', async () => {
  await using edge = await edgeBehind(DIRECT);
  using visitor = await rawHttp2(edge.port, HOST, { window: 5 });
  for (const stream of STREAMS) visitor.headers(stream, GET, END_HEADERS | END_STREAM);
  for (const stream of STREAMS) expect(await visitor.outcome(stream)).toBe(200);
  resetAll(visitor);
  expect(await next(visitor)).not.toBe(200);
});

test('nginx does not limit the resets of a trusted proxy, whose visitors share the connection', async () => {
  await using edge = await edgeBehind(BEHIND_PROXY);
  using proxy = await rawHttp2(edge.port, HOST);
  for (const stream of STREAMS) proxy.headers(stream, GET);
  resetAll(proxy);
  expect((await next(proxy)) === 200).toBe(!reportsRequests());
});

test('an HTTP/2 visitor whose responses end may send any number of requests', async () => {
  await using edge = await edgeBehind(DIRECT);
  using visitor = await rawHttp2(edge.port, HOST);
  for (const stream of STREAMS) visitor.headers(stream, GET);
  for (const stream of STREAMS) expect(await visitor.outcome(stream)).toBe(200);
  expect(await next(visitor)).toBe(200);
});
