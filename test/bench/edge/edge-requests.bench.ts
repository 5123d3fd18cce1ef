import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';
import {
  CLIENT_CORE,
  CONTENDERS,
  type Contender,
  ENGINES,
  PEERS,
  type Server,
  startContenders,
} from './edge-contenders.ts';

const ROUNDS = 5;
const SECONDS = 2;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;

/** Of Caddy's requests a CPU second, at least; of its 99th percentile, at most. */
const TARGETS = {
  edge: { requests: 1.1, p99: 1 },
  'edge on nginx': { requests: 3, p99: 0.5 },
};

interface Load {
  per_cpu_s: number;
  p99_ms: number;
}

/** Measures requests over kept TLS connections. The edge signs each request; the others only forward. */
export async function edgeRequests(): Promise<BenchRow[]> {
  const wrk = findProgram('wrk');
  if (wrk === null) {
    console.error('SKIPPED edge-requests: wrk is not installed');
    return [];
  }
  const { hostname, servers, stop } = await startContenders();
  try {
    const names = CONTENDERS.filter((name) => servers[name]);
    const load = (name: Contender, seconds: number) => async (): Promise<Load> => {
      const server = servers[name];
      if (!server) throw new Error(`${name} does not run`);
      return measure(wrk, `https://${hostname}:${server.port}/careers?page=2`, server, seconds);
    };
    for (const name of names) await load(name, WARM_UP_SECONDS)();
    const runs = Object.fromEntries(names.map((name) => [name, load(name, SECONDS)]));
    const samples = await interleave<string, Load>(ROUNDS, runs);
    const of = (name: string, kind: keyof Load) => median((samples[name] ?? []).map((each) => each[kind]));
    return ENGINES.filter((engine) => servers[engine]).flatMap((engine) =>
      PEERS.filter((peer) => servers[peer]).flatMap((peer) => {
        const [value, floor] = [of(engine, 'per_cpu_s'), of(peer, 'per_cpu_s')];
        const [p99, theirP99] = [of(engine, 'p99_ms'), of(peer, 'p99_ms')];
        const { requests, p99: late } = TARGETS[engine];
        const isCaddy = peer === 'caddy';
        return [
          {
            name: `${engine}, signed requests a CPU second, against ${peer} unsigned`,
            unit: '',
            value,
            floor,
            target: isCaddy ? { text: `${requests} of it`, isMet: value >= requests * floor } : null,
          },
          {
            name: `${engine}, 99th percentile of ${CONNECTIONS} connections, against ${peer}`,
            unit: 'ms',
            value: p99,
            floor: theirP99,
            target: isCaddy ? { text: `${late} of it at most`, isMet: p99 <= late * theirP99 } : null,
          },
        ];
      }),
    );
  } finally {
    await stop();
  }
}

/** Runs wrk. @throws Error if a response is not 2xx. */
async function measure(wrk: string, url: string, server: Server, seconds: number): Promise<Load> {
  const taskset = findProgram('taskset');
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', url];
  const [file, rest] = taskset ? [taskset, ['-c', String(CLIENT_CORE), wrk, ...args]] : [wrk, args];
  const beforeMs = server.cpuMs();
  const { stdout } = await promisify(execFile)(file, rest);
  const cpuMs = server.cpuMs() - beforeMs;
  const [, requests = '0'] = /(\d+) requests in/.exec(stdout) ?? [];
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  if (stdout.includes('Non-2xx') || requests === '0') throw new Error(`wrk: ${stdout}`);
  const scale = { us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN;
  return { per_cpu_s: (Number(requests) / cpuMs) * 1000, p99_ms: Number(p99) * scale };
}
