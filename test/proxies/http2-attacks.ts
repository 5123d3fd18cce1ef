import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { HOST } from '../edge/edge-under-test.ts';
import { ATTACKS, GET, NORMALISED, REFUSED } from '../edge/wire/hostile-http2.ts';
import { type Field, type FrameWriter, type RawHttp2, rawHttp2 } from '../edge/wire/raw-http2.ts';
import { PROGRAMS, type Program } from './fronts.ts';
import type { ProxyWorld } from './proxy-world.ts';
import { READ_MS, VISITOR, victimPath, visitsOf } from './visits.ts';

/** The response of a program to a hostile request, and the number of requests that reached the origin. */
export interface Http2Outcome {
  program: Program;
  title: string;
  outcome: string;
  arrived: number;
}

/** Tests hostile HTTP/2 requests and frames through each program. @param record is called with the outcome of each attack. */
export function http2AttackTests(world: () => ProxyWorld, record: (outcome: Http2Outcome) => void): void {
  describe.each(PROGRAMS)('%s, by HTTP/2', (program) => {
    const { hostname, address, expectClean, expectVictimUnharmed } = visitsOf(program, world);
    const own = (list: readonly Field[]): Field[] =>
      list.map(([name, value]) => [
        name,
        value.replaceAll(HOST, hostname).replaceAll(HOST.toUpperCase(), hostname.toUpperCase()),
      ]);
    const visit = () =>
      rawHttp2(world().upstream.httpsPort, hostname, { host: address, localAddress: VISITOR });

    /** Makes an attack on a new connection, and waits for the outcome of the first stream. */
    async function attack(title: string, send: (visitor: RawHttp2) => void): Promise<void> {
      world().arrived.length = 0;
      using visitor = await visit();
      send(visitor);
      const outcome = await Promise.race([visitor.outcome(1), delay(READ_MS, 'no response')]);
      const arrived = [...world().arrived];
      record({ program, title, outcome: String(outcome), arrived: arrived.length });
      expectClean(arrived);
    }

    test('an ordinary request arrives', async () => {
      world().arrived.length = 0;
      using visitor = await visit();
      visitor.headers(1, own(GET));
      expect(await visitor.outcome(1)).toBe(200);
      expect(world().arrived).toHaveLength(1);
      expectClean(world().arrived);
    });

    test.each([...REFUSED.map(([title, , list]) => [title, list] as const), ...NORMALISED])(
      'forges and smuggles nothing with %s',
      async (title, list) => {
        await attack(title, (visitor) => visitor.headers(1, own(list)));
        await expectVictimUnharmed(victimPath(title));
      },
    );

    test.each(ATTACKS)('affects no one else by %s', async (title, send) => {
      await attack(title, (visitor) => send(withHost(visitor, own)));
      await expectVictimUnharmed(victimPath(title));
    });
  });
}

/** Returns a frame writer that replaces the hostname in requests by the hostname of the setup. */
function withHost(visitor: FrameWriter, own: (list: readonly Field[]) => Field[]): FrameWriter {
  return { ...visitor, headers: (stream, list, flags) => visitor.headers(stream, own(list), flags) };
}

/** Returns a line for each hostile request, with what each program did. */
export function outcomeLines(outcomes: readonly Http2Outcome[]): string {
  const lines = [...Map.groupBy(outcomes, ({ title }) => title)].map(([title, own]) => {
    const told = own.map(
      ({ program, outcome, arrived }) => `${program}: ${outcome}, ${arrived} at the origin`,
    );
    return `  ${JSON.stringify(title)}: ${told.join('; ')}`;
  });
  return lines.join('\n');
}
