import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuMsOf, findProgram, startPinned } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';
import { ATTACKS } from './edge-attack.ts';
import { CLIENT_CORE, ENGINES, type Server, startContenders } from './edge-contenders.ts';
import { paced } from './paced.ts';

const ROUNDS = 3;
const SECONDS = 5;
/** The time after which an attack has reached its full strength. */
const BEGINNING_MS = 2_500;
const PER_S = 300;
const PROGRAM = fileURLToPath(import.meta.resolve('./edge-attack.ts'));
/**
 * A prefix that runs a program only while its core is idle. The attackers share a core with the good visitors, who must wait only for the
 * edge.
 */
const ONLY_IDLE = ['chrt', '--idle', '0'] as const;
/** The factor by which a visit may take longer than without attackers. */
const SLOWER_MAX = 2;
const MIB_MAX = 400;

/** Measures the times of good visitors (99th percentile) during slow and hostile traffic, and the edge's CPU time and memory. */
export async function edgeAttacks(): Promise<BenchRow[]> {
  const [chrt, ...chrtArgs] = ONLY_IDLE;
  const whenIdle = findProgram(chrt);
  if (whenIdle === null) {
    console.error('SKIPPED edge-attacks: chrt is not installed (Debian: util-linux)');
    return [];
  }
  const { hostname, servers, stop } = await startContenders(ENGINES);
  const rows: BenchRow[] = [];
  try {
    for (const engine of ENGINES) {
      const server = servers[engine];
      if (!server) continue;
      const visit = async () => {
        const [cpuMs, startedAt] = [cpuMsOf(server.processIds), performance.now()];
        const p99Ms = await paced(hostname, server, { seconds: SECONDS, perS: PER_S });
        const cpuPercent = (100 * (cpuMsOf(server.processIds) - cpuMs)) / (performance.now() - startedAt);
        return { p99Ms, cpuPercent };
      };
      await visit();
      for (const attack of Object.keys(ATTACKS)) {
        const samples: { alone: Visit; beside: Visit }[] = [];
        const before = memoryMib(server);
        let most = before;
        for (let round = 0; round < ROUNDS; round++) {
          const alone = await visit();
          const attackers = startPinned(CLIENT_CORE, whenIdle, [...chrtArgs, process.execPath, PROGRAM], {
            ATTACK: attack,
            PORT: String(server.port),
            HOSTNAME: hostname,
          });
          await attackers.line();
          await delay(BEGINNING_MS);
          const beside = await visit();
          most = Math.max(most, memoryMib(server));
          await attackers.stop();
          samples.push({ alone, beside });
        }
        const medians = (of: keyof Visit) => ({
          value: median(samples.map(({ beside }) => beside[of])),
          floor: median(samples.map(({ alone }) => alone[of])),
        });
        const p99 = medians('p99Ms');
        rows.push(
          {
            name: `${engine}, 99th percentile of good visitors beside ${attack}, against alone`,
            unit: 'ms',
            ...p99,
            target: { text: `${SLOWER_MAX} of it at most`, isMet: p99.value <= SLOWER_MAX * p99.floor },
          },
          {
            name: `${engine}, CPU of the edge beside ${attack}, against alone`,
            unit: '%',
            ...medians('cpuPercent'),
            target: null,
          },
          {
            name: `${engine}, memory beside ${attack}, against before`,
            unit: 'MiB',
            value: most,
            floor: before,
            target: { text: `${MIB_MAX} MiB at most`, isMet: most <= MIB_MAX },
          },
        );
      }
    }
    return rows;
  } finally {
    await stop();
  }
}

interface Visit {
  p99Ms: number;
  /** The CPU time of the edge as a percentage of one core. */
  cpuPercent: number;
}

/** Returns the memory of a server's processes, with shared pages counted once. */
function memoryMib({ processIds }: Server): number {
  const kib = processIds.map((id) => {
    const [, pss = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    return Number(pss);
  });
  return kib.reduce((sum, each) => sum + each, 0) / 1024;
}
