import path from 'node:path';
import { startProcess } from '../measured-process.ts';
import { findProgram } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import type { EdgeMemory } from './edge-memory-process.ts';
import type { NginxMemory } from './nginx-memory-process.ts';

const MIB_MAX = 400;
/** Memory may grow by this factor, because the allocator does not return all freed memory. */
const GROWTH_MAX = 1.1;

/** Measures the resident memory that an edge needs for its hostnames, with the maximum number of certificates ready for handshakes. */
export async function edgeMemory(): Promise<BenchRow[]> {
  const program = path.join(import.meta.dirname, 'edge-memory-process.ts');
  const child = startProcess(['--expose-gc', program]);
  try {
    const memory = (await child.document()) as EdgeMemory;
    const { empty_mib, known_1000_mib, known_100000_mib, churned_mib, churned_twice_mib } = memory;
    const row = (name: string, value: number, floor: number, target: BenchRow['target']): BenchRow => ({
      name,
      unit: 'MiB',
      value,
      floor,
      target,
    });
    const bounded = (mib: number) => ({ text: `${MIB_MAX} MiB at most`, isMet: mib <= MIB_MAX });
    const isFlat = churned_twice_mib <= GROWTH_MAX * churned_mib;
    return [
      row(
        'edge, 1 000 certificates, all hot, against none',
        known_1000_mib,
        empty_mib,
        bounded(known_1000_mib),
      ),
      row('edge, 100 000 certificates, 5 000 hot', known_100000_mib, empty_mib, bounded(known_100000_mib)),
      row('edge, 40 000 contexts let go, against 20 000', churned_twice_mib, churned_mib, {
        text: 'flat',
        isMet: isFlat,
      }),
      ...(await onNginx()),
    ];
  } finally {
    await child.stop();
  }
}

/** Maximum time in milliseconds from a change of a route to its effect. */
const CHANGE_MS_MAX = 1_000;

/** Measures the edge on nginx: our process and nginx's processes together. */
async function onNginx(): Promise<BenchRow[]> {
  if (findProgram('nginx') === null) {
    console.error('SKIPPED the edge on nginx: nginx is not installed');
    return [];
  }
  const child = startProcess([path.join(import.meta.dirname, 'nginx-memory-process.ts')]);
  try {
    const { known_mib, hot_mib, change_ms, change_max_ms } = (await child.document()) as NginxMemory;
    return [
      {
        name: 'edge on nginx, 100 000 certificates, 5 000 hot, against none hot',
        unit: 'MiB',
        value: hot_mib,
        floor: known_mib,
        target: { text: `${MIB_MAX} MiB at most`, isMet: hot_mib <= MIB_MAX },
      },
      {
        name: 'edge on nginx, from a change to its effect at 100 000 routes: maximum of 50, against the median',
        unit: 'ms',
        value: change_max_ms,
        floor: change_ms,
        target: { text: `${CHANGE_MS_MAX} ms at most`, isMet: change_max_ms <= CHANGE_MS_MAX },
      },
    ];
  } finally {
    await child.stop();
  }
}
