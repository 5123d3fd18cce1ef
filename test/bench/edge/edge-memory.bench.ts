import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EDGE_LIMITS } from '../../../shared/edge/edge-limits.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { CLI, startProcess } from '../measured-process.ts';
import { findProgram, startPinned } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import { AWAY, fillReplica, startTextOrigin } from './filled-replica.ts';
import type { NginxMemory } from './nginx-memory-process.ts';
import { createSampleValues, SAMPLE_EDGE_KEYS, sampleHostname } from './sample-values.ts';
import { shakeHandsWithAll } from './visit.ts';

const MIB_MAX = 250;
/** Memory may differ by this factor, because the allocator does not return all freed memory. */
const GROWTH_MAX = 1.1;
const HOT = 20_000;
const VISITORS = 16;
const REST_MS = 2_000;

interface Memory {
  /** Resident memory of the process: before the visits, and after visits of `HOT` hostnames and of as many others, in MiB. */
  idle: number;
  hot: number;
  hotAgain: number;
}

/**
 * Measures the resident memory of a whole edge node whose replica has many hostnames with certificates, and of an edge on nginx. `--full`
 * compares 1 000 000 hostnames with 100 000.
 */
export async function edgeMemory(): Promise<BenchRow[]> {
  const full = process.argv.includes('--full');
  const [few, many] = full ? [100_000, 1_000_000] : [50_000, 100_000];
  if (!full) console.error(`edge-memory: ${many} hostnames; --full has 1 000 000`);
  const small = await measure(few);
  const large = await measure(many);
  const bounded = (mib: number) => ({ text: `${MIB_MAX} MiB at most`, isMet: mib <= MIB_MAX });
  const flat = (mib: number, floor: number) => ({ text: 'equal', isMet: mib <= GROWTH_MAX * floor });
  const row = (name: string, value: number, floor: number, target: BenchRow['target']): BenchRow => ({
    name: `edge, ${name}`,
    unit: 'MiB',
    value,
    floor,
    target,
  });
  return [
    row(`${few} hostnames, ${HOT} hot, against none hot`, small.hot, small.idle, bounded(small.hot)),
    row(`${many} hostnames, ${HOT} hot, against none hot`, large.hot, large.idle, bounded(large.hot)),
    row(`${many} hostnames, ${HOT} hot, against ${few}`, large.hot, small.hot, flat(large.hot, small.hot)),
    row(
      `${many} hostnames, ${HOT} others hot, against the first`,
      large.hotAgain,
      large.hot,
      flat(large.hotAgain, large.hot),
    ),
    ...(await onNginx()),
  ];
}

/** Starts the built program as an edge on a machine of its own, with a filled replica, while the database is away. */
async function measure(hostnames: number): Promise<Memory> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-bench-'));
  try {
    fillReplica(folder, createSampleValues('https://origin.example.com'), hostnames);
    const port = await freePort();
    const edge = startPinned(0, process.execPath, [CLI, 'service', 'start', '--json'], {
      HOME: folder,
      DATABASE_URL: AWAY,
      NAMEPLATE_ROLES: 'edge',
      NAMEPLATE_EDGE_KEYS: SAMPLE_EDGE_KEYS,
      NAMEPLATE_INNER_URL: 'http://127.0.0.1:1',
      NAMEPLATE_EDGE_REPLICA: folder,
      NAMEPLATE_EDGE_LISTEN: `127.0.0.1:${port}`,
      NAMEPLATE_EDGE_HTTP_LISTEN: `127.0.0.1:${await freePort()}`,
      NAMEPLATE_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
      NAMEPLATE_EDGE_IPV4: '192.0.2.1',
      NAMEPLATE_EDGE_IPV6: '2001:db8::1',
    });
    try {
      await edge.line();
      const idle = await residentMib(edge.id);
      // The hot hostnames are spread over the whole replica.
      const step = hostnames / (2 * HOT);
      const visited = (from: number) =>
        Array.from({ length: HOT }, (_, n) => sampleHostname(Math.floor((from + 2 * n) * step)));
      await shakeHandsWithAll(port, visited(0), VISITORS);
      const hot = await residentMib(edge.id);
      await shakeHandsWithAll(port, visited(1), VISITORS);
      return { idle, hot, hotAgain: await residentMib(edge.id) };
    } finally {
      await edge.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the resident memory of a process, after a time in which it can rest. */
async function residentMib(id: number): Promise<number> {
  await delay(REST_MS);
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
  return Number(kib) / 1024;
}

const NGINX_HOSTNAMES = 100_000;
/** Maximum memory of our process and of nginx together. */
const NGINX_MIB_MAX = 400;
/** Maximum time in milliseconds from a change in the replica to its effect. */
const CHANGE_MS_MAX = 1_000;

/** Measures the edge on nginx: our process and nginx's processes together. */
async function onNginx(): Promise<BenchRow[]> {
  if (findProgram('nginx') === null) {
    console.error('SKIPPED the edge on nginx: nginx is not installed');
    return [];
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'np-memory-'));
  const origins = await Promise.all(['one', 'two'].map(startTextOrigin));
  const samples = createSampleValues(origins[0]?.url ?? '');
  fillReplica(folder, samples, NGINX_HOSTNAMES);
  const child = startProcess([path.join(import.meta.dirname, 'nginx-memory-process.ts')], {
    FOLDER: folder,
    OTHER_ORIGIN: origins[1]?.url,
  });
  try {
    const { known_mib, hot_mib, change_ms, change_max_ms } = (await child.document()) as NginxMemory;
    const name = `edge on nginx, ${NGINX_HOSTNAMES} hostnames`;
    return [
      {
        name: `${name}, ${EDGE_LIMITS.certificates_hot_max} hot, against none hot`,
        unit: 'MiB',
        value: hot_mib,
        floor: known_mib,
        target: { text: `${NGINX_MIB_MAX} MiB at most`, isMet: hot_mib <= NGINX_MIB_MAX },
      },
      {
        name: `${name}, from a change in the replica to its effect: maximum of 50, against the median`,
        unit: 'ms',
        value: change_max_ms,
        floor: change_ms,
        target: { text: `${CHANGE_MS_MAX} ms at most`, isMet: change_max_ms <= CHANGE_MS_MAX },
      },
    ];
  } finally {
    await child.stop();
    for (const origin of origins) origin.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
