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
import { paced } from './paced.ts';

const ROUNDS = 5;
const SECONDS = 2;
/** The paced measurement is longer, so that one pause of the machine affects less than a hundredth of the requests. */
const PACED_SECONDS = 4;
const WARM_UP_SECONDS = 5;
const CONNECTIONS = 32;
/** The rate at which the 99th percentile is measured. Every server can handle this rate, even beside other load. */
const PACE_PER_S = 2_000;

/** The targets as multiples of Caddy's results: at least for the requests per CPU second, at most for the 99th percentile. */
const TARGETS = {
  edge: { requests: 1.1, p99: 1 },
  'edge on nginx': { requests: 3, p99: 0.5 },
};

interface Load {
  per_cpu_s: number;
  p99_ms: number;
}

/**
 * Measures requests over keep-alive TLS connections: first the maximum rate of each server, then the times at the same rate for all
 * servers. At the maximum rate, times would mostly show the queues of the client and the origin. The edge signs each request. The other
 * servers only forward.
 */
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
      const perCpuS = await measure(
        wrk,
        `https://${hostname}:${server.port}/careers?page=2`,
        server,
        seconds,
      );
      const p99Ms = await paced(hostname, server, { seconds: PACED_SECONDS, perS: PACE_PER_S });
      return { per_cpu_s: perCpuS, p99_ms: p99Ms };
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
            name: `${engine}, signed requests per CPU second, against ${peer} unsigned`,
            unit: '',
            value,
            floor,
            target: isCaddy ? { text: `${requests} of it`, isMet: value >= requests * floor } : null,
          },
          {
            name: `${engine}, 99th percentile at ${PACE_PER_S} requests a second, against ${peer}`,
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

/** Runs wrk. @returns requests per CPU second. @throws Error if a response is not 2xx. */
export async function measure(wrk: string, url: string, server: Server, seconds: number): Promise<number> {
  const taskset = findProgram('taskset');
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, url];
  const [file, rest] = taskset ? [taskset, ['-c', String(CLIENT_CORE), wrk, ...args]] : [wrk, args];
  const beforeMs = server.cpuMs();
  const { stdout } = await promisify(execFile)(file, rest);
  const cpuMs = server.cpuMs() - beforeMs;
  const [, requests = '0'] = /(\d+) requests in/.exec(stdout) ?? [];
  if (stdout.includes('Non-2xx') || requests === '0') throw new Error(`wrk: ${stdout}`);
  return (Number(requests) / cpuMs) * 1000;
}
