import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../edge/edge-under-test.ts';
import { ANSWERED, NORMALISED, REFUSED } from '../edge/wire/hostile-http1.ts';
import { isWhole } from '../edge/wire/raw-visitor.ts';
import { whyMissing } from '../fixtures/debian-package.ts';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { FRONT_PACKAGES } from './front-programs.ts';
import { PROGRAMS } from './fronts.ts';
import { http2AttackTests } from './http2-attacks.ts';
import { type ProxyWorld, startProxyWorld } from './proxy-world.ts';
import { READ_MS, THROUGH, VISITOR, victimPath, visitsOf } from './visits.ts';

describeUnlessMissing(
  whyMissing(FRONT_PACKAGES),
  "Visitors that reach the edge through a customer's own proxy",
  () => {
    let world: ProxyWorld;
    beforeAll(async () => {
      world = await startProxyWorld(THROUGH);
    });
    afterAll(() => world?.[Symbol.asyncDispose]());

    describe.each(PROGRAMS)('%s in front of the edge', (program) => {
      const { hostname, visit, expectClean, expectVictimUnharmed } = visitsOf(program, () => world);
      const bytesFor = (bytes: string) => bytes.replaceAll(HOST, hostname);

      /**
       * Sends bytes, and returns the requests that reached the origin.
       * @param waitMs maximum wait for a response, because a program may wait for more bytes instead.
       */
      async function attack(bytes: string, waitMs?: number): Promise<IncomingMessage[]> {
        world.arrived.length = 0;
        using visitor = await visit(VISITOR);
        visitor.write(bytes);
        const answered = visitor.until(isWhole);
        await (waitMs === undefined ? answered : Promise.race([answered, delay(waitMs)]));
        return [...world.arrived];
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
      ])('are forwarded with their own address if they claim %s', async (_, claim) => {
        const requests = await attack(`GET / HTTP/1.1\r\nHost: ${hostname}\r\n${claim}\r\n`);
        expect(requests).toHaveLength(1);
        expect(requests[0]?.headersDistinct['x-forwarded-for']).toEqual([VISITOR]);
      });

      test.each(NORMALISED)("cannot forge the service's headers with %s", async (_title, bytes) => {
        expectClean(await attack(bytesFor(bytes)));
      });

      test.each([...REFUSED, ...ANSWERED])(
        'cannot smuggle a request to another visitor with %s',
        async (title, _status, bytes) => {
          const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
          expectClean(await attack(bytesFor(bytes) + smuggled, READ_MS));
          await expectVictimUnharmed(victimPath(title));
        },
      );
    });

    http2AttackTests(
      () => world,
      () => undefined,
    );
  },
);
