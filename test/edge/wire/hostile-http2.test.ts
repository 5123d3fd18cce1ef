import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createThrowawayCa } from '../../fixtures/acme/throwaway-ca.ts';
import {
  type EdgeUnderTest,
  edgeWith,
  HOST,
  isNow,
  mayRefuse,
  type OriginUnderTest,
  originWith,
  refusal,
  route,
} from '../edge-under-test.ts';
import { HOPS, NAMED } from '../listeners/hops-under-test.ts';
import { certificatesFor } from '../tls/certificates-under-test.ts';
import { ATTACKS, GET, NORMALISED, REFUSED } from './hostile-http2.ts';
import { type Field, frameWriter, RST_STREAM, rawHttp2, SETTINGS } from './raw-http2.ts';

const ca = createThrowawayCa();
afterAll(() => ca[Symbol.dispose]());

describe.each(HOPS)(
  'HTTP/2 at an edge %s',
  (_, { hops, proxyHeader, forwardedFor, visitor: visitorAddress }) => {
    let edge: EdgeUnderTest;
    let origin: OriginUnderTest;
    /** The requests that reached the origin completely. */
    const arrived: { rawHeaders: string[]; body: string }[] = [];

    beforeAll(async () => {
      origin = await originWith((req, res) => {
        let body = '';
        req.on('data', (chunk: Buffer) => {
          body += chunk.toString('latin1');
        });
        req.on('end', () => {
          arrived.push({ rawHeaders: req.rawHeaders, body });
          res.end('from the origin');
        });
      });
      const routes = { [HOST]: route(origin.url, { origin_headers: { 'X-Tenant': 'acme' } }) };
      edge = await edgeWith(routes, {
        scheme: 'https',
        tls: { certificates: certificatesFor(ca, HOST) },
        ...(hops && { hops }),
      });
    });
    afterAll(async () => {
      expect(edge.connectionErrors.filter(({ kind }) => kind === 'node')).toEqual([]);
      await edge[Symbol.asyncDispose]();
      await origin[Symbol.asyncDispose]();
    });

    /** Checks that the edge still serves other visitors. @param address an address of another network. By default, the network is the same. */
    async function expectUp(address?: string): Promise<void> {
      using visitor = await rawHttp2(edge.port, HOST, {
        proxyHeader: proxyHeader.replace(NAMED, address ?? NAMED),
        // Only the default address is the address of a hop.
        ...(hops === undefined && { localAddress: address }),
      });
      const named: Field[] = address === undefined || !forwardedFor ? [] : [['x-forwarded-for', address]];
      visitor.headers(1, [...GET, ...named]);
      expect(await visitor.outcome(1)).toBe(200);
    }

    describe('a request of HTTP/2', () => {
      it.each(REFUSED)('with %s is refused: %s', async (_title, outcome, list) => {
        arrived.length = 0;
        using visitor = await rawHttp2(edge.port, HOST, { proxyHeader });
        visitor.headers(1, list);
        // A trusted proxy may send requests for any hostname, so the edge responds with 404 in place of 421.
        const expected = outcome === 421 && forwardedFor !== null ? 404 : outcome;
        expect(await visitor.outcome(1)).toEqual(refusal(expected));
        expect(arrived).toEqual([]);
        await expectUp();
      });

      it.each(NORMALISED)('with %s is forwarded without its harmful parts', async (_title, list) => {
        arrived.length = 0;
        using visitor = await rawHttp2(edge.port, HOST, { proxyHeader });
        visitor.headers(1, forwardedFor === null ? list : [...list, ['x-forwarded-for', forwardedFor]]);
        const outcome = await visitor.outcome(1);
        if (mayRefuse(outcome)) {
          expect(arrived).toEqual([]);
          return;
        }
        expect(outcome).toBe(200);
        const raw = arrived[0]?.rawHeaders ?? [];
        expect(raw.filter((each) => /evil|^:|^te$/i.test(each))).toEqual([]);
        const values = (name: string) =>
          raw.flatMap((each, i) => (i % 2 === 0 && each.toLowerCase() === name ? [raw[i + 1]] : []));
        expect(values('host')).toEqual([HOST]);
        expect(values('x-tenant')).toEqual(['acme']);
        expect(values('x-service-domain-id')).toEqual(['dom_1']);
        expect(values('x-service-timestamp').map(isNow)).toEqual([true]);
        expect(values('x-service-signature')).toEqual([expect.stringMatching(/^v1=[0-9a-f]{64}$/)]);
        expect(values('x-forwarded-for')).toEqual([visitorAddress]);
        expect(values('x-forwarded-proto')).toEqual(['https']);
      });
    });

    describe('an attack over HTTP/2', () => {
      it.each(ATTACKS)('by %s affects no one else', async (title, attack, isAnswered = false) => {
        arrived.length = 0;
        using visitor = await rawHttp2(edge.port, HOST, { proxyHeader });
        attack(visitor);
        // Once the edge has responded, the request has reached the origin if the edge forwards it at all.
        if (isAnswered) await visitor.outcome(1);
        // On nginx, the connection stays open, and its streams have the share of their network at the origin.
        await expectUp(title === 'too many streams' ? '127.0.0.9' : undefined);
        visitor[Symbol.dispose]();
        await expectUp();
        const [{ body, rawHeaders } = { body: '', rawHeaders: [] }] = arrived.filter(
          (request) => request.body !== '',
        );
        expect({ body, rawHeaders }).toEqual({ body: '', rawHeaders: [] });
      });

      it('by resets in the same packet as their requests starts none of them', async () => {
        edge.seen.length = 0;
        using visitor = await rawHttp2(edge.port, HOST, { proxyHeader });
        await visitor.until(({ type }) => type === SETTINGS);
        const packet: Buffer[] = [];
        const burst = frameWriter((bytes) => packet.push(bytes));
        for (let stream = 1; stream < 100; stream += 2) {
          burst.headers(stream, GET);
          burst.frame({ type: RST_STREAM, stream, payload: Buffer.from([0, 0, 0, 8]) });
        }
        visitor.bytes(Buffer.concat(packet));
        visitor.headers(101, GET);
        expect(await visitor.outcome(101)).toBe(200);
        expect(edge.seen).toHaveLength(1);
      });
    });
  },
);
