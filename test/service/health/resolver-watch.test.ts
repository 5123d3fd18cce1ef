import { beforeEach, expect, test, vi } from 'vitest';
import { ALWAYS_THERE, type ResolverWatch, watchResolvers } from '../../../service/health/resolver-watch.ts';
import { systemRandom } from '../../../shared/adapters/system.ts';
import type { Lookup } from '../../../shared/core/dns/dns-survey.ts';
import { createDns } from '../../../shared/dns/create-dns.ts';
import { dnsServer } from '../../fixtures/dns/dns-server.ts';

const EVERY_MS = 30_000;

let now = 0;
let asked = 0;
let outcomes: Lookup['outcome'][] = [];
let logged: string[] = [];

beforeEach(() => {
  now = 0;
  asked = 0;
  logged = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => vi.useRealTimers();
});

function watch(): ResolverWatch {
  const note = (_: object, message: string) => void logged.push(message);
  return watchResolvers({
    everyMs: EVERY_MS,
    clock: { now: () => now },
    log: { info: note, warn: note, error: note },
    dns: {
      async chain() {
        asked += 1;
        return outcomes.map((outcome) => ({ ...LOOKUP, outcome }));
      },
    },
  });
}

const DEAD = { resolvers: 'unanswered' } as const;
const WELL = { resolvers: 'answered' } as const;
const NONE: Lookup['outcome'][] = ['unknown', 'unknown', 'unknown'];
const turn = () => vi.advanceTimersByTimeAsync(0);

test('the resolver watch does not mistake dead zones for dead resolvers, and checks the resolvers once per interval', async () => {
  const watched = watch();
  outcomes = ['unknown', 'nodata', 'unknown'];
  for (let zone = 0; zone < 100; zone += 1) {
    watched.saw(DEAD);
    await turn();
  }
  expect(asked).toBe(1);
  now += EVERY_MS;
  watched.saw(DEAD);
  await turn();
  expect(asked).toBe(2);
  expect(watched.answering()).toBe(true);
  expect(logged).toEqual([]);
});

test('the resolver watch logs only once that no resolver responds, and once that a resolver responds again', async () => {
  const watched = watch();
  outcomes = NONE;
  for (let domain = 0; domain < 100; domain += 1) {
    watched.saw(DEAD);
    await turn();
  }
  expect(watched.answering()).toBe(false);
  expect(logged).toEqual([expect.stringContaining('no DNS resolver answers')]);
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
  expect(logged).toHaveLength(1);
  outcomes = ['unknown', 'unknown', 'answer'];
  await vi.advanceTimersByTimeAsync(EVERY_MS);
  expect(watched.answering()).toBe(true);
  expect(logged.slice(1)).toEqual(['the DNS resolvers answer again']);
  const then = asked;
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
  expect(asked).toBe(then);
});

test('the resolver watch ends the outage at the first survey that gets an answer', async () => {
  const watched = watch();
  outcomes = NONE;
  watched.saw(DEAD);
  await turn();
  expect(watched.answering()).toBe(false);
  watched.saw({ resolvers: null });
  expect(watched.answering()).toBe(false);
  watched.saw(WELL);
  expect(watched.answering()).toBe(true);
});

test('the resolver watch asks no resolver after the node has stopped', async () => {
  const watched = watch();
  outcomes = NONE;
  watched.saw(DEAD);
  await turn();
  watched.close();
  await vi.advanceTimersByTimeAsync(10 * EVERY_MS);
  watched.saw(DEAD);
  await turn();
  expect(asked).toBe(1);
});

test('the resolver watch looks up a name for which every working resolver has an answer', async () => {
  vi.useRealTimers();
  await using silent = await dnsServer({ zones: {}, fault: () => ({ drop: true }) });
  await using well = await dnsServer({ zones: { com: [] }, recursion: true });
  const dns = createDns({
    resolvers: [silent.address, silent.address, well.address],
    allowLoopback: true,
    timeoutMs: 1_000,
    random: systemRandom,
    clock: { now: () => 0 },
  });
  const found = await dns.chain(ALWAYS_THERE);
  expect(found.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'nodata']);
});

const LOOKUP: Lookup = {
  server: '192.0.2.1',
  name: 'com',
  type: 'A',
  outcome: 'nodata',
  failure: null,
  ede: [],
  records: [],
  negative_ttl_s: null,
  response_ms: 1,
};
