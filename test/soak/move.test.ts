import { expect, test } from 'vitest';
import { describeMove } from '../service/move/describe-move.ts';
import { moveFromCaddy } from '../service/move/move-from-caddy.ts';

const HOSTNAMES = Number(process.env['MOVE_HOSTNAMES'] ?? 10_000);
const KILLS = Number(process.env['MOVE_KILLS'] ?? 20);
const SEED = Number(process.env['MOVE_SEED'] ?? 1);
/** `node` or `nginx`; `postgres` or `nats`. */
const ENGINE = process.env['MOVE_ENGINE'] ?? 'node';
const SOURCE = process.env['MOVE_SOURCE'] === 'nats' ? 'nats' : 'postgres';
const REQUESTS_PER_SECOND = 500;
const HOURS_MS = 3 * 3_600_000;

describeMove(
  `A move of ${HOSTNAMES} hostnames from Caddy to edges on ${ENGINE} that read from ${SOURCE}`,
  () => {
    test(`fails no handshake and loses no request in ${KILLS} kills of nodes`, {
      timeout: HOURS_MS,
    }, async () => {
      const move = await moveFromCaddy({
        hostnames: HOSTNAMES,
        kills: KILLS,
        requestsPerSecond: REQUESTS_PER_SECOND,
        seed: SEED,
        nodes: { source: SOURCE, env: { NAMEPLATE_EDGE_ENGINE: ENGINE } },
      });
      const { visits, seconds, events, ...rest } = move;
      const { servedBy, failures, ...counts } = visits;
      console.log({
        hostnames: HOSTNAMES,
        ...rest,
        ...counts,
        failures: failures.length,
        servedBy: Object.fromEntries(servedBy),
        seconds,
        requestsPerSecond: counts.requests / seconds.visits,
      });
      expect(failures).toEqual([]);
      expect(move.kills).toBe(KILLS);
      expect(events.size).toBe(HOSTNAMES);
      const courses = new Set([...events.values()].map((types) => types.join()));
      expect([...courses]).toEqual(['domain.created,domain.verified,domain.active']);
    });
  },
);
