import { RECORD_TTL_S } from '../../fixtures/dns/master-file.ts';
import { type RealInternet, startRealInternet, whyNoInternet } from '../../fixtures/real-internet.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { freshDatabase, startPostgres } from '../throwaway-postgres.ts';
import { bareQuestions } from './bare-questions.ts';
import { type CheckingNode, startCheckingNode } from './checking-node.ts';

/**
 * The rounds take less time than the TTL of the records. So resolvers answer from their caches, as public resolvers do for popular names.
 */
const ROUNDS = 4;
const DOMAINS = 400;
const SIDE_BY_SIDE = 20;
const VERIFIED = 15;
const VERIFIED_MS_MAX = 2000;
const EDGE_ZONE = 'edge.test';

/**
 * Measures checks of live domains by one node on Postgres, compared with bare queries to the same resolvers. Also measures how soon a
 * correct record takes effect.
 */
export async function dnsChecks(): Promise<BenchRow[]> {
  const missing = whyNoInternet();
  if (missing !== null) {
    console.error(`SKIPPED dns-checks: ${missing}`);
    return [];
  }
  const postgres = await startPostgres(['fsync=on']);
  const database = await freshDatabase(postgres.url);
  const net = await startRealInternet({
    'acme.test': { records: [] },
    'late.test': { records: [] },
    [EDGE_ZONE]: { records: ['* A 192.0.2.1', '* AAAA 2001:db8::1'] },
  });
  try {
    await using node = await startCheckingNode(database.url, net, EDGE_ZONE);
    return [...(await measureRates(net, node)), await measureVerified(net, node)];
  } finally {
    await net[Symbol.asyncDispose]();
    await database.drop();
    await postgres.stop();
  }
}

async function measureRates(net: RealInternet, node: CheckingNode): Promise<BenchRow[]> {
  await net.change('acme.test', [`* CNAME ${node.target}.`]);
  const hostnames = Array.from({ length: DOMAINS }, (_, n) => `d${n}.acme.test`);
  await node.addActive(hostnames);
  const startedAt = performance.now();
  const rates = await interleave<'bare' | 'surveys' | 'checks', number>(ROUNDS, {
    bare: () => perSecond(() => bareQuestions(net.resolverAddresses, hostnames, SIDE_BY_SIDE)),
    surveys: () => perSecond(() => node.survey(hostnames, SIDE_BY_SIDE)),
    checks: () => perSecond(() => node.check()),
  });
  if (performance.now() - startedAt > RECORD_TTL_S * 1000) throw new Error('it took longer than the TTL');
  const floor = median(rates.bare);
  return [
    {
      name: 'look-ups of a check a second, three resolvers',
      unit: '',
      value: median(rates.surveys),
      floor,
      target: null,
    },
    {
      name: 'DNS checks a second, one node on Postgres',
      unit: '',
      value: median(rates.checks),
      floor,
      target: null,
    },
  ];
}

async function measureVerified(net: RealInternet, node: CheckingNode): Promise<BenchRow> {
  const tookMs: number[] = [];
  const bareMs: number[] = [];
  const records: string[] = [];
  for (let n = 0; n <= VERIFIED; n += 1) {
    const hostname = `careers-${n}.late.test`;
    const domain = await node.addPending(hostname);
    records.push(`careers-${n} CNAME ${node.target}.`);
    await net.change('late.test', records);
    const startedAt = performance.now();
    await node.verified(domain);
    tookMs.push(performance.now() - startedAt);
    const askedAt = performance.now();
    await bareQuestions(net.resolverAddresses, [hostname], 1);
    bareMs.push(performance.now() - askedAt);
  }
  // Leaves out the first check, because its caches are empty, unlike the caches of a running node.
  const slowestMs = Math.max(...tookMs.slice(1));
  return {
    name: 'record right, check due: domain.verified received, the slowest',
    unit: 'ms',
    value: slowestMs,
    floor: median(bareMs.slice(1)),
    target: { text: `${VERIFIED_MS_MAX} ms`, isMet: slowestMs < VERIFIED_MS_MAX },
  };
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (DOMAINS / (performance.now() - startedAt)) * 1000;
}
