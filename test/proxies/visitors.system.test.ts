import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../edge/edge-under-test.ts';
import { ANSWERED, NORMALISED, REFUSED } from '../edge/wire/hostile-http1.ts';
import { isWhole, parseAnswer, type RawVisitor, rawVisitor } from '../edge/wire/raw-visitor.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { FRONT_PACKAGES } from './front-programs.ts';
import { PROGRAMS, type Program, SETUPS } from './fronts.ts';
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts';

const THROUGH = SETUPS.filter(({ front, stage }) => front.title === 'both schemes' && stage === 'after');
const VISITOR = '127.0.0.77';
const VICTIM = '127.0.0.78';
/** Headers that a program passes on although the visitor's `Connection` names them. They mean nothing to the edge. */
const PASSED_ON: Record<Program, readonly string[]> = {
  nginx: ['X-Hop', 'X-HOP', 'X-Other'],
  caddy: [],
  haproxy: [],
};
/** Time for a program to read what a visitor sent, if it does not respond. */
const READ_MS = 100;

describeUnlessMissing(whyMissing(FRONT_PACKAGES), 'Visitors that come through', () => {
  let world: ProxyWorld;
  beforeAll(async () => {
    world = await startProxyWorld(THROUGH);
  }, 60_000);
  afterAll(() => world?.[Symbol.asyncDispose]());

  describe.each(PROGRAMS)('%s', (program) => {
    const { hostname, address } = THROUGH.find((setup) => setup.program === program) ?? {
      hostname: '',
      address: '',
    };
    const bytesFor = (bytes: string) => bytes.replaceAll(HOST, hostname);
    const visit = (from: string): Promise<RawVisitor> =>
      rawVisitor(world.upstream.httpsPort, hostname, from, '', address);

    /**
     * Sends bytes, and returns the requests that reached the origin.
     * @param waitMs how long to wait for a response. A program may wait for more bytes.
     */
    async function attack(bytes: string, waitMs?: number): Promise<IncomingMessage[]> {
      world.arrived.length = 0;
      using visitor = await visit(VISITOR);
      visitor.write(bytes);
      const answered = visitor.until(isWhole);
      await (waitMs === undefined ? answered : Promise.race([answered, delay(waitMs)]));
      return [...world.arrived];
    }

    /** Asks as another visitor, over whichever connection the program keeps to the edge. */
    async function askAsVictim(path: string): Promise<{ body: string; forwardedFor: unknown }> {
      world.arrived.length = 0;
      using victim = await visit(VICTIM);
      victim.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      const { body } = parseAnswer(await victim.until(isWhole));
      const request = world.arrived.find(({ url }) => url === path);
      return { body, forwardedFor: request?.headersDistinct['x-forwarded-for'] };
    }

    function expectClean(requests: readonly IncomingMessage[]): void {
      for (const { headersDistinct: headers, rawHeaders } of requests) {
        const forged = rawHeaders.filter(
          (_, i) => !PASSED_ON[program].includes(rawHeaders[i - (i % 2)] ?? ''),
        );
        expect(JSON.stringify(forged)).not.toContain('evil');
        expect(headers['host']).toEqual([hostname]);
        expect(headers['x-forwarded-for']).toEqual([VISITOR]);
        expect(headers['x-forwarded-proto']).toEqual(['https']);
        expect(headers['x-tenant']).toEqual(['acme']);
        expect(headers['x-service-domain-id']).toEqual(['dom_1']);
        expect(headers['x-service-signature']).toEqual([expect.stringMatching(/^v1=[0-9a-f]{64}$/)]);
      }
    }

    test.each([
      ['nothing', ''],
      ['an address', 'X-Forwarded-For: 6.6.6.6\r\n'],
      ['a list', 'X-Forwarded-For: 6.6.6.6, 7.7.7.7\r\n'],
      ['two headers', 'X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 7.7.7.7\r\n'],
      ['the address of the proxy', 'X-Forwarded-For: 127.0.0.1\r\n'],
      ['a comma at the end', 'X-Forwarded-For: 6.6.6.6,\r\n'],
      [
        'other spellings',
        'X_Forwarded_For: 6.6.6.6\r\nX-Forwarded: for=6.6.6.6\r\nForwarded: for=6.6.6.6\r\n',
      ],
      [
        'a header of a vendor',
        'CF-Connecting-IP: 6.6.6.6\r\nTrue-Client-IP: 6.6.6.6\r\nX-Real-IP: 6.6.6.6\r\n',
      ],
      ['a header that is to be dropped', 'Connection: X-Forwarded-For\r\nX-Forwarded-For: 6.6.6.6\r\n'],
      ['a header of the PROXY protocol', 'PROXY: TCP4 6.6.6.6 7.7.7.7 1 2\r\n'],
    ])('have their own address, if they claim %s', async (_, claim) => {
      const requests = await attack(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n${claim}\r\n`);
      expect(requests).toHaveLength(1);
      expect(requests[0]?.headersDistinct['x-forwarded-for']).toEqual([VISITOR]);
    });

    test.each(NORMALISED)('forge nothing with %s', async (_title, bytes) => {
      expectClean(await attack(bytesFor(bytes)));
    });

    test.each([...REFUSED, ...ANSWERED])(
      'smuggle nothing to others with %s',
      async (title, _status, bytes) => {
        const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
        expectClean(await attack(bytesFor(bytes) + smuggled, READ_MS));
        const path = `/victim-of-${encodeURIComponent(title)}`;
        expect(await askAsVictim(path)).toEqual({ body: `origin ${path}`, forwardedFor: [VICTIM] });
      },
    );
  });
});
