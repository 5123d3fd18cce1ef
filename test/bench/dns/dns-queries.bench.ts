import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { whyMissing } from '../../fixtures/debian-package.ts';
import { fileOf, KNOT_PROGRAMS, writeConfiguration } from '../../fixtures/dns/knot.ts';
import { masterFile } from '../../fixtures/dns/master-file.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { findProgram, type PinnedProcess, startPinned } from '../pinned-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';

const ROUNDS = 5;
const SECONDS = 4;
const SHARE_OF_KNOT_MIN = 0.25;
const SERVER_CORE = 0;
const CLIENT_CORE = 1;
const PROGRAM = fileURLToPath(import.meta.resolve('./dns-process.ts'));
const LOAD_TSX = import.meta.resolve('../../fixtures/load-tsx.ts');
const DNSPERF = '/usr/bin/dnsperf';
const IP = '127.0.0.1';
const ZONE = 'edge.test';
const SERVERS = ['ns1.host.test', 'ns2.host.test'];
const NAMES = 10_000;

/** Measures queries over UDP per second of CPU time, compared with Knot, which serves the same zone. */
export async function dnsQueries(): Promise<BenchRow[]> {
  const missing = whyMissing({ packages: ['knot', 'dnsperf'], programs: [...KNOT_PROGRAMS, DNSPERF] });
  if (missing !== null) {
    console.error(`SKIPPED dns-queries: ${missing}`);
    return [];
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nameplate-dns-bench-'));
  const started: PinnedProcess[] = [];
  try {
    const questions = path.join(folder, 'questions');
    writeFileSync(questions, Array.from({ length: NAMES }, (_, index) => questionOf(index)).join(''));
    const knot = await startKnotPinned(folder, started);
    const own = await startOwn(started);
    const samples = await interleave<'own' | 'knot', number>(ROUNDS, {
      own: () => perCpuSecond(own, questions),
      knot: () => perCpuSecond(knot, questions),
    });
    const [value, floor] = [median(samples.own), median(samples.knot)];
    return [
      {
        name: 'DNS role, queries over UDP per CPU second, against knot',
        unit: '',
        value,
        floor,
        target: { text: `${SHARE_OF_KNOT_MIN} of it`, isMet: value >= SHARE_OF_KNOT_MIN * floor },
      },
    ];
  } finally {
    for (const each of started) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Server {
  running: PinnedProcess;
  port: number;
}

/** Returns one query of a realistic mix: mostly addresses for visitors, some CAA records for CAs, and some names that do not exist. */
function questionOf(index: number): string {
  const type = ['A', 'AAAA', 'A', 'AAAA', 'A', 'AAAA', 'A', 'CAA', 'TXT', 'A'][index % 10];
  return `k${index.toString(36)}.${ZONE} ${type}\n`;
}

async function startKnotPinned(folder: string, started: PinnedProcess[]): Promise<Server> {
  const port = await freePort([IP]);
  const text = { records: ['* A 192.0.2.10', '* AAAA 2001:db8::10'], servers: SERVERS };
  writeFileSync(path.join(folder, fileOf(ZONE)), masterFile(ZONE, text, 1));
  const file = writeConfiguration({ folder, ip: IP, port, zones: new Map([[ZONE, text]]), signed: [] });
  const running = startPinned(SERVER_CORE, KNOT_PROGRAMS[0], ['--config', file]);
  started.push(running);
  await running.line();
  return { running, port };
}

async function startOwn(started: PinnedProcess[]): Promise<Server> {
  const running = startPinned(SERVER_CORE, process.execPath, ['--import', LOAD_TSX, PROGRAM], {
    NAMEPLATE_ROLES: 'dns',
    NAMEPLATE_EDGE_ZONE: ZONE,
    NAMEPLATE_EDGE_IPV4: '192.0.2.10',
    NAMEPLATE_EDGE_IPV6: '2001:db8::10',
    NAMEPLATE_DNS_SERVERS: SERVERS.join(','),
    NAMEPLATE_DNS_LISTEN: `${IP}:0`,
    NAMEPLATE_ADMIN_LISTEN: `${IP}:0`,
  });
  started.push(running);
  return { running, port: Number(await running.line()) };
}

/**
 * Runs dnsperf with EDNS, as resolvers use it. Returns the queries per second of CPU time. @throws Error if a response is lost or is not
 * NOERROR.
 */
async function perCpuSecond({ running, port }: Server, questions: string): Promise<number> {
  const args = [
    '-s',
    IP,
    '-p',
    String(port),
    '-d',
    questions,
    '-l',
    String(SECONDS),
    '-c',
    '8',
    '-T',
    '1',
    '-e',
  ];
  const taskset = findProgram('taskset');
  const [file, rest] = taskset ? [taskset, ['-c', String(CLIENT_CORE), DNSPERF, ...args]] : [DNSPERF, args];
  const beforeMs = running.cpuMs();
  const { stdout } = await promisify(execFile)(file, rest);
  const cpuMs = running.cpuMs() - beforeMs;
  const [, completed = '0', share = ''] = /Queries completed: +(\d+) \(([\d.]+)%\)/.exec(stdout) ?? [];
  const isGood = /Response codes: +NOERROR \d+ \(100\.00%\)/.test(stdout);
  if (Number(share) < 99.9 || !isGood) throw new Error(`dnsperf: ${stdout}`);
  return (Number(completed) / cpuMs) * 1000;
}
