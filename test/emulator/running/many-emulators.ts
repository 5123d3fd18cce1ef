import { readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { emptyHome, startBin } from '../../cli/bin-process.ts';
import { registryFiles } from '../../cli/emulator/registered.ts';
import { emptyFolder } from '../../cli/run-cli.ts';

/** The files and processes that emulators left behind. Both arrays should be empty. */
export interface LeftBehind {
  processes: number[];
  ports: string[];
  files: string[];
}

/** A command that takes a domain through its life cycle, and prints which emulator it used. */
const LIFE_CYCLE = `
  const { NAMEPLATE_BASE_URL: base_url, NAMEPLATE_API_KEY: api_key, NAMEPLATE_EDGE_URL: edge_url } = process.env;
  const call = async (method, path, body) => {
    const answer = await fetch(base_url + path, {
      method,
      headers: { authorization: 'Bearer ' + api_key, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(method + ' ' + path + ': ' + (await answer.text()));
    return answer.status === 204 ? null : answer.json();
  };
  console.log(JSON.stringify([process.pid, process.ppid, base_url, edge_url]));
  const { id } = await call('POST', '/v1/domains', { hostname: 'careers.acme.com' });
  const { met } = await call('POST', '/_emulator/expect', { expect: 'active host=careers.acme.com' });
  if (!met) throw new Error('it did not become active');
  await call('POST', '/_emulator/domains/' + id + '/trigger', { trigger: 'dns_gone' });
  await call('DELETE', '/v1/domains/' + id);`;

/**
 * Runs many emulators with `emulator exec`, some at a time, each on free ports. Each takes a domain through its life cycle.
 * @returns what the emulators left behind.
 * @throws Error if an emulator did not exit with 0.
 */
export async function runMany(count: number, atOnce: number): Promise<LeftBehind> {
  const left: LeftBehind = { processes: [], ports: [], files: [] };
  let next = 0;
  const lane = async () => {
    while (next < count) await runOne(next++, left);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return left;
}

async function runOne(index: number, left: LeftBehind): Promise<void> {
  const cwd = emptyFolder();
  const env = emptyHome();
  const argv = [
    'emulator',
    'exec',
    '--clock',
    'auto',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    LIFE_CYCLE,
  ];
  await using bin = startBin(argv, env, cwd);
  const code = await bin.ended;
  if (code !== 0) throw new Error(`emulator ${index} ended with ${code}: ${bin.stdout()}${bin.stderr()}`);
  const [child, parent, ...urls] = JSON.parse(bin.stdout()) as [number, number, ...string[]];
  for (const pid of [child, parent]) if (isAlive(pid)) left.processes.push(pid);
  for (const url of urls) if (await isOpen(url)) left.ports.push(url);
  left.files.push(...readdirSync(cwd));
  left.files.push(...registryFiles(env));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !hasEnded(pid);
  } catch {
    return false; // ESRCH: the process has ended and was reaped.
  }
}

/** Returns true for an orphaned process that has ended but that init has not reaped yet, which may take a while. */
function hasEnded(pid: number): boolean {
  return process.platform === 'linux' && /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

export function isOpen(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port: Number(new URL(url).port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.unref();
  });
}
