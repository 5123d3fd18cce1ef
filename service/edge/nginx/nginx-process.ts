import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../../commands/operator/command-error.ts';
import { askNginx } from './ask-nginx.ts';

/** A running nginx, which an earlier process may have started. */
export interface Instance {
  /** The id of this run of nginx. */
  id: string;
  /** The process id of nginx's master process. */
  pid: number;
  /** The hash of the configuration. */
  hash: string;
  /** The id of the node process that controls this nginx. */
  owner?: string;
  /** The known process ids of nginx's workers. */
  workers?: readonly number[];
}

/** Returns the content of each file of an instance, by file name. */
export type InstanceFiles = (folder: string, id: string) => Readonly<Record<string, string | Buffer>>;

/** Returns the folder of an instance. */
export function instanceFolder(folder: string, { id }: Pick<Instance, 'id'>): string {
  return path.join(folder, id);
}

/** Returns the nginx that an earlier node process left running. Returns null if none is running, or if it does not respond. */
export async function findRunning(folder: string): Promise<Instance | null> {
  const instance = readCurrent(folder);
  if (instance === null || !isRunning(instance.pid)) return null;
  const found = await askNginx(instanceFolder(folder, instance), '/alive').catch(() => null);
  return found === instance.id ? instance : null;
}

/**
 * Starts nginx detached, so that it outlives this process. Removes the folders of instances that no longer run.
 *
 * @throws CommandError with nginx's messages if nginx does not start.
 */
export async function startInstance(
  folder: string,
  program: string,
  hash: string,
  files: InstanceFiles,
): Promise<Instance> {
  removeLost(folder);
  const id = randomUUID().slice(0, 8);
  const own = path.join(folder, id);
  mkdirSync(own, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(files(own, id))) {
    const file = path.join(own, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o600 });
  }
  const child = spawn(
    program,
    ['-p', own, '-e', path.join(own, 'error.log'), '-c', path.join(own, 'nginx.conf')],
    {
      detached: true,
      stdio: 'ignore',
    },
  );
  child.unref();
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.once('error', () => {
    ended = true;
  });
  for (let waitedMs = 0; waitedMs < START_MS && !ended; waitedMs += STEP_MS) {
    if ((await askNginx(own, '/alive').catch(() => null)) === id) {
      return { id, pid: child.pid ?? 0, hash };
    }
    await delay(STEP_MS);
  }
  const reason = lastLines(path.join(own, 'error.log'));
  if (!ended && child.pid !== undefined) {
    // Kill the process group, because nginx's workers are in it.
    signal(-child.pid, 'SIGKILL');
    await untilEnded(child.pid, KILL_MS);
  }
  // Remove the folder immediately: the node tries again every second, and each folder has a copy of all trusted certificates.
  rmSync(own, { recursive: true, force: true });
  throw new CommandError(
    'process_failed',
    `nginx did not start: ${reason}`,
    'Fix the cause, then start the node again.',
  );
}

/** The maximum time from the start of an nginx until the node process controls it. */
export const START_MS = 10_000;
const STEP_MS = 20;

/** Removes the folders of instances whose master no longer runs. Workers whose master has ended do not need these folders. */
function removeLost(folder: string): void {
  for (const id of readdirSync(folder).filter(isId)) {
    const own = instanceFolder(folder, { id });
    if (!isRunning(masterIn(own))) rmSync(own, { recursive: true, force: true });
  }
}

function masterIn(own: string): number {
  try {
    return Number(readFileSync(path.join(own, 'nginx.pid'), 'utf8'));
  } catch {
    return 0;
  }
}

/** Assigns a running nginx to a node process, so that the previous node process no longer ends this nginx. */
export function takeOver(folder: string, instance: Instance, owner: string): Instance {
  const taken = { ...instance, owner };
  writeFileSync(currentFile(folder), JSON.stringify(taken), { mode: 0o600 });
  return taken;
}

/** Returns true if another node process has taken nginx over. */
export function hasSuccessor(folder: string, owner: string): boolean {
  const current = readCurrent(folder);
  return current !== null && current.owner !== owner;
}

/** Lets an instance finish its requests, then ends it. @param graceMs time for the requests. */
export async function endInstance(folder: string, instance: Instance, graceMs: number): Promise<void> {
  if (readCurrent(folder)?.id === instance.id) rmSync(currentFile(folder), { force: true });
  await askNginx(instanceFolder(folder, instance), '/closing').catch(() => '');
  await delay(Math.min(graceMs, LAST_RESPONSES_MS));
  signal(instance.pid, 'SIGQUIT');
  await untilEnded(instance.pid, graceMs);
  signal(instance.pid, 'SIGTERM');
  await untilEnded(instance.pid, KILL_MS);
  signal(instance.pid, 'SIGKILL');
  rmSync(instanceFolder(folder, instance), { recursive: true, force: true });
}

/** For this time before nginx stops listening, responses tell clients to close their connections. */
const LAST_RESPONSES_MS = 1_000;
const KILL_MS = 2_000;

async function untilEnded(pid: number, durationMs: number): Promise<void> {
  const until = performance.now() + durationMs;
  while (isRunning(pid) && performance.now() < until) await delay(STEP_MS);
}

/** Returns true if a process runs. Returns false for a zombie process. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^\) Z/.test(stat.slice(stat.lastIndexOf(')')));
  } catch {
    return false;
  }
}

/** Sends a signal. Does nothing if the process has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}$/.test(text);
}

function currentFile(folder: string): string {
  return path.join(folder, 'current.json');
}

function readCurrent(folder: string): Instance | null {
  try {
    const instance = JSON.parse(readFileSync(currentFile(folder), 'utf8')) as Instance;
    // Check the values: the id becomes a path that is removed later, and a process id below 1 would signal a process group.
    return isId(instance.id) && instance.pid > 0 ? instance : null;
  } catch {
    return null;
  }
}

function lastLines(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim().slice(-1000) || 'it wrote no reason';
  } catch {
    return 'it wrote no log';
  }
}
