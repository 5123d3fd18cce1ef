import { findProgram } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import { ENGINES, startContenders } from './edge-contenders.ts';
import { measure } from './edge-requests.bench.ts';

const ROUNDS = 9;
const SECONDS = 3;
const WARM_UP_SECONDS = 8;
/** Counting the traffic may reduce the requests per CPU second by at most this share. */
const COST_MAX = 0.03;

/** Measures how much each engine slows down because it counts the traffic of domains. */
export async function edgeCounting(): Promise<BenchRow[]> {
  const wrk = findProgram('wrk');
  if (wrk === null) {
    console.error('SKIPPED edge-counting: wrk is not installed');
    return [];
  }
  const { hostname, servers, stop } = await startContenders(ENGINES, { uncounted: true });
  try {
    const loads = Object.entries(servers).map(([name, server]) => {
      const url = `https://${hostname}:${server.port}/careers?page=2`;
      return [name, (seconds: number) => () => measure(wrk, url, server, seconds)] as const;
    });
    for (const [, load] of loads) await load(WARM_UP_SECONDS)();
    const runs = Object.fromEntries(loads.map(([name, load]) => [name, load(SECONDS)]));
    const samples = await interleave<string, number>(ROUNDS, runs);
    const of = (name: string) => median(samples[name] ?? []);
    return ENGINES.filter((engine) => servers[engine]).map((engine) => {
      const [value, floor] = [of(engine), of(`${engine} without counting`)];
      return {
        name: `${engine}, requests per CPU second, against itself without counting traffic`,
        unit: '',
        value,
        floor,
        target: { text: `${1 - COST_MAX} of it`, isMet: value >= (1 - COST_MAX) * floor },
      };
    });
  } finally {
    await stop();
  }
}
