import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import {
  type EdgeUnderTest,
  edgeWith,
  HOST,
  isNow,
  type OriginUnderTest,
  originWith,
  route,
} from '../edge-under-test.ts';
import { HOPS, type HopUnderTest, viaHop } from '../listeners/hops-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { ANSWERED, NORMALISED, REFUSED } from './hostile-http1.ts';
import { isWhole, parseAnswer, rawVisitor } from './raw-visitor.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

const NEXT = `GET /smuggled HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

const CASES: [title: string, hop: HopUnderTest, secure: boolean][] = HOPS.flatMap(([title, hop]) => [
  [`without TLS, ${title}`, hop, false],
  [`over TLS, ${title}`, hop, true],
]);

describe.each(CASES)('hostile bytes sent to the edge %s', (_, hop, secure) => {
  let edge: EdgeUnderTest;
  let origin: OriginUnderTest;
  const arrived: { url: string | undefined; rawHeaders: string[] }[] = [];
  const visitor = () => rawVisitor(edge.port, secure ? HOST : undefined, '127.0.0.1', hop.proxyHeader);

  beforeAll(async () => {
    origin = await originWith((req, res) => {
      arrived.push({ url: req.url, rawHeaders: req.rawHeaders });
      req.resume().on('end', () => {
        arrived.push({ url: 'trailers', rawHeaders: req.rawTrailers });
        res.end('from the origin');
      });
    });
    const routes = { [HOST]: route(origin.url, { origin_headers: { 'X-Tenant': 'acme' } }) };
    edge = await edgeWith(routes, {
      ...(secure && { tls: { certificates: certificatesFor(ca, HOST) } }),
      ...(hop.hops && { hops: hop.hops }),
    });
  });
  // After all these requests, the edge must still serve visitors.
  afterAll(async () => {
    using last = await visitor();
    last.write(NEXT);
    expect(parseAnswer(await last.until(isWhole)).status).toBe(200);
    expect(edge.connectionErrors.filter(({ kind }) => kind === 'node')).toEqual([]);
    await edge[Symbol.asyncDispose]();
    await origin[Symbol.asyncDispose]();
  });

  it.each(REFUSED)('%s is refused', async (_title, status, bytes) => {
    arrived.length = 0;
    edge.asked.length = 0;
    using hostile = await visitor();
    hostile.write(bytes + NEXT);
    const text = await hostile.ended();
    expect(parseAnswer(text)).toMatchObject({ status, headers: { connection: 'close' } });
    expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(edge.asked).toEqual([]);
    expect(arrived).toEqual([]);
  });

  it.each(ANSWERED)('%s gets a response of the edge', async (_title, status, bytes) => {
    arrived.length = 0;
    using hostile = await visitor();
    hostile.write(bytes);
    expect(parseAnswer(await hostile.until(isWhole))).toMatchObject({ status });
    expect(arrived).toEqual([]);
  });

  it.each(NORMALISED)('%s is forwarded without its harmful parts', async (_title, bytes) => {
    arrived.length = 0;
    using hostile = await visitor();
    hostile.write(viaHop(bytes, hop));
    expect(parseAnswer(await hostile.until(isWhole))).toMatchObject({ status: 200, body: 'from the origin' });
    const [request] = arrived;
    expect(JSON.stringify(arrived)).not.toContain('evil');
    const byName = Map.groupBy(pairs(request?.rawHeaders ?? []), ([name]) => name.toLowerCase());
    const added = {
      host: HOST,
      'x-service-domain-id': 'dom_1',
      'x-service-app-id': 'app_1',
      'x-tenant': 'acme',
    };
    for (const [name, value] of Object.entries(added)) {
      expect(byName.get(name)?.map(([, each]) => each)).toEqual([value]);
    }
    expect(byName.get('x-service-timestamp')?.map(([, value]) => isNow(value))).toEqual([true]);
    expect(byName.get('x-service-signature')).toEqual([
      ['X-Service-Signature', expect.stringMatching(/^v1=[0-9a-f]{64}$/)],
    ]);
    expect(byName.get('x-forwarded-for')).toEqual([['X-Forwarded-For', hop.visitor]]);
    expect(byName.get('x-forwarded-proto')).toHaveLength(1);
  });

  it('with endless headers are refused', async () => {
    using hostile = await visitor();
    hostile.write(`GET / HTTP/1.1\r\nHost: ${HOST}\r\n`);
    const pump = () => {
      while (!hostile.socket.destroyed && hostile.socket.write(`X-A: ${'a'.repeat(1000)}\r\n`));
    };
    hostile.socket.on('drain', pump);
    pump();
    const text = await hostile.ended();
    // The visitor goes on writing when the edge closes the connection, so the visitor may lose the response.
    expect([0, 431]).toContain(parseAnswer(text).status);
  });
});

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as [string, string]] : []));
}
