import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { diceOf } from './dice.ts';
import { generateScript } from './generate-script.ts';
import { welcomeGoodVisitors } from './good-visitors.ts';
import { KNOWN_ATTACKS } from './known-attacks.ts';
import { playScript } from './play-script.ts';
import { isAlive, type Levels, levelsOf, STRANGERS } from './process-levels.ts';
import type { PortName, Script } from './script.ts';
import type { Target } from './target.ts';
import { captureHellos } from './tls-pieces.ts';

/** The measured effects of hostile connections on a process. */
export interface HostileFigures {
  seed: number;
  connections: number;
  /** The last output of a crashed process, and the hostile connections that were open then; null if the process still runs. */
  crash: { said: string; underWay: string[] } | null;
  /** Number of errors that reached the process without ending it, according to its log. */
  contained: number;
  goodRequests: Record<string, number>;
  lost: string[];
  /** Number of connections that the visitor left open and that the process did not end. */
  neverReleased: number;
  /** The resources in use after a warm-up and, in `after`, after all connections. Null if the process had ended before the measurement. */
  before: SettledLevels | null;
  after: SettledLevels | null;
}

/** The resources that a process uses after a garbage collection. */
export interface SettledLevels extends Levels {
  heapMb: number;
  /** Memory outside the heap that objects in the heap own, such as buffers. */
  externalMb: number;
}

export interface HostileRun {
  seed: number;
  /** Returns the script of a connection by its number; null if this connection is left out. */
  scriptAt(index: number): Script | null;
  connections: number;
}

const AT_ONCE = 64;
/** Maximum number of idle connections besides the active ones. The edge allows more connections from one address. */
const HELD_MAX = 1_000;
/** Number of connections before the first measurement, which fill caches and create everything that is created once. */
const WARM_UP = 100;
const REST_MS = 1_000;
/**
 * Maximum time for a process to settle. It is longer than any timeout of a connection (`tunnel_idle_ms`), because Node does not notice the
 * reset of a connection that it does not read.
 */
const SETTLE_MS = 330_000;
const LOOK_EVERY_MS = 250;
/** After this time, the edge must have ended a connection without a request (`EDGE_LIMITS`). */
const HELD_MS = 45_000;
const SAID_CHARS_MAX = 3_000;
/** The message that `shared/adapters/escaped-errors.ts` logs. */
const CONTAINED = 'unhandled error';

/** Returns the seed in HOSTILE_SEED, or else a random seed. */
export function seedOf(env: NodeJS.ProcessEnv): number {
  const seed = Number(env['HOSTILE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  if (!Number.isInteger(seed))
    throw new Error(`HOSTILE_SEED must be an integer, and is ${env['HOSTILE_SEED']}`);
  return seed;
}

/** Returns a run of random connections from a seed. With `HOSTILE_ONLY=7,8`, the run consists of these two connections, repeated. */
export async function fuzzOf(target: Target, seed: number, connections: number): Promise<HostileRun> {
  const only = process.env['HOSTILE_ONLY']?.split(',').map(Number);
  const { edge: host = '' } = target.hosts;
  const weights: Record<PortName, number> = { api: 3, edge: 5, edgeHttp: 2, admin: 1, sandbox: 0.5 };
  const scenery = {
    hosts: target.hosts,
    secure: new Set<PortName>(['edge']),
    key: target.key,
    ports: (Object.keys(target.ports) as PortName[]).map((port) => [weights[port], port] as const),
    hellos: await captureHellos(host),
  };
  const place = (index: number) => only?.[index % only.length] ?? index;
  return { seed, connections, scriptAt: (index) => generateScript(seed, place(index), scenery) };
}

/** Returns a run of one known attack with all its timings, on each of its ports. */
export function attackOf(target: Target, seed: number, connections: number, number: number): HostileRun {
  const attack = KNOWN_ATTACKS[number];
  const ports = attack?.ports.filter((port) => target.ports[port] !== undefined) ?? [];
  return {
    seed,
    connections,
    scriptAt(index) {
      const port = ports[index % ports.length];
      if (!attack || port === undefined) return null;
      return attack.script(port, diceOf(seed, index), target.hosts[port] ?? 'localhost');
    },
  };
}

/**
 * Makes hostile connections while good visitors send requests, until all connections are made or the process has ended. Then waits until
 * the process has settled.
 */
export async function runHostile(target: Target, run: HostileRun): Promise<HostileFigures> {
  const { seed } = run;
  const warmUp = await play(target, warmUpOf(run));
  const before = await settle(target, null);
  if (before === null) return { seed, ...warmUp, before, after: null };
  const outcome = await play(target, run);
  const lost = [...warmUp.lost, ...outcome.lost];
  return { seed, ...outcome, lost, before, after: await settle(target, before) };
}

/** Returns the warm-up of a run. It leaves no connections open, because these would only make the warm-up longer. */
function warmUpOf({ scriptAt, ...run }: HostileRun): HostileRun {
  return {
    ...run,
    connections: Math.min(WARM_UP, run.connections),
    scriptAt(index) {
      const script = scriptAt(index);
      return script?.ending === 'hold' ? { ...script, ending: 'end' } : script;
    },
  };
}

type Outcome = Omit<HostileFigures, 'seed' | 'before' | 'after'>;

async function play(target: Target, run: HostileRun): Promise<Outcome> {
  const visitors = welcomeGoodVisitors(target);
  const underWay = new Map<number, string>();
  const held = new Set<Socket>();
  let next = 0;
  let crash: HostileFigures['crash'] = null;
  const look = () => {
    if (crash === null && !isAlive(target.pid))
      crash = { said: target.said().slice(-SAID_CHARS_MAX), underWay: [...underWay.values()] };
  };

  async function playNext(index: number): Promise<void> {
    const script = run.scriptAt(index);
    const port = script === null ? undefined : target.ports[script.port];
    if (script === null || port === undefined) return;
    underWay.set(index, `${index} at ${script.port}: ${script.title}, ${script.ending}`);
    const socket = await playScript(script, port, addressOf(index));
    look();
    underWay.delete(index);
    if (socket === null) return;
    held.add(socket);
    if (held.size >= HELD_MAX) await letGo(target, held);
  }

  async function playOn(): Promise<void> {
    while (next < run.connections && crash === null) await playNext(next++);
  }

  await Promise.all(Array.from({ length: AT_ONCE }, playOn));
  const neverReleased = await letGo(target, held);
  await visitors.leave();
  look();
  const { served: goodRequests, lost } = visitors;
  const contained = target.said().split(CONTAINED).length - 1;
  return { connections: next, crash, contained, goodRequests, lost, neverReleased };
}

/**
 * Waits until the process has ended all held connections, or until the time is up. Returns the number of connections that are still open.
 */
async function letGo({ pid }: Target, held: Set<Socket>): Promise<number> {
  let kept = held.size;
  for (let waitedMs = 0; kept > 0 && waitedMs < HELD_MS; waitedMs += LOOK_EVERY_MS) {
    await pause(LOOK_EVERY_MS);
    kept = levelsOf(pid)?.strangers ?? 0;
  }
  for (const socket of held) socket.destroy();
  held.clear();
  return kept;
}

/** Returns the address of a hostile visitor. There are many such addresses, and good visitors have none of them. */
function addressOf(index: number): string {
  return `${STRANGERS}${Math.floor(index / 250) % 250}.${1 + (index % 250)}`;
}

/** Waits until no hostile connection is left and the levels are as low as in `compared`, or until the time is up. */
async function settle(target: Target, compared: SettledLevels | null): Promise<SettledLevels | null> {
  let levels: SettledLevels | null = null;
  for (let waitedMs = 0; waitedMs < SETTLE_MS; waitedMs += LOOK_EVERY_MS) {
    if (!isAlive(target.pid)) return null;
    target.closeIdle();
    process.kill(target.pid, 'SIGUSR2');
    await pause(LOOK_EVERY_MS);
    const held = levelsOf(target.pid);
    levels = held && { ...held, ...memoryOf(target.said()) };
    if (levels?.strangers === 0 && waitedMs >= REST_MS && isBack(levels, compared)) break;
  }
  return levels;
}

/** Reads the last line that `collect-garbage.cjs` has printed. */
function memoryOf(said: string): Pick<SettledLevels, 'heapMb' | 'externalMb'> {
  const line = said.match(/^memory: .*\n/gm)?.at(-1);
  if (line === undefined) return { heapMb: Number.NaN, externalMb: Number.NaN };
  const { heapUsed, external }: NodeJS.MemoryUsage = JSON.parse(line.slice('memory: '.length));
  return { heapMb: Math.round(heapUsed / 2 ** 20), externalMb: Math.round(external / 2 ** 20) };
}

/** Returns whether the levels equal the compared ones, within bounds that do not depend on the number of connections. */
export function isBack(levels: SettledLevels, compared: SettledLevels | null): boolean {
  if (compared === null) return true;
  return (
    levels.strangers === 0 &&
    levels.descriptors.length <= compared.descriptors.length &&
    levels.heapMb <= compared.heapMb + HEAP_GROWTH_MB &&
    levels.externalMb <= compared.externalMb + EXTERNAL_GROWTH_MB &&
    levels.rssMb <= compared.rssMb + RSS_GROWTH_MB
  );
}

/** The heap may grow by this size because of caches, which have their own limits. */
const HEAP_GROWTH_MB = 16;
/** External memory may grow by this size because of buffers in pools and caches. */
const EXTERNAL_GROWTH_MB = 8;
/**
 * Resident memory may grow by this size because of caches and of freed memory that the allocator does not return. This growth does not
 * depend on the number of connections: an emulator gained 20 MB in 5,000 connections, 29 MB in 10,000 and 26 MB in 34,000.
 */
const RSS_GROWTH_MB = 96;

/** Prints the figures of a run in one line, with the seed that repeats the run. */
export function printFigures({ lost, crash, before, after, ...figures }: HostileFigures): void {
  const levels = { before: summaryOf(before), after: summaryOf(after) };
  console.log(JSON.stringify({ ...figures, crashes: crash === null ? 0 : 1, lost: lost.length, ...levels }));
}

/** Returns the levels without the list of descriptors, which has thousands of entries after a leak. */
export function summaryOf(levels: SettledLevels | null) {
  return levels && { ...levels, descriptors: levels.descriptors.length };
}
