import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './report.ts';

/** The CPU time that one part of a program used: a package, a folder of this repo, or the garbage collector. */
export interface ProfiledPart {
  part: string;
  ms: number;
}

/** True with the flag `--profile`, which also prints where the measured process spends its CPU time. */
export const isProfiling = process.argv.includes('--profile');

const ROOT = path.resolve(import.meta.dirname, '../..');
const INTERVAL_US = 250;

/** Starts profiling this process. @returns a function that ends the profile and returns the profile's parts, largest first. */
export async function startProfile(): Promise<() => Promise<ProfiledPart[]>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return partsOf(profile);
  };
}

/**
 * Returns rows with the CPU time of each part for one operation. The floor is the time of all parts, so that the ratio is the share of the
 * part.
 */
export function profileRows(name: string, parts: readonly ProfiledPart[], operations: number): BenchRow[] {
  const asUs = (ms: number) => (ms * 1000) / operations;
  const floor = asUs(parts.reduce((sum, { ms }) => sum + ms, 0));
  return parts
    .map(({ part, ms }) => ({
      name: `${name}, CPU in ${part}`,
      unit: 'µs',
      value: asUs(ms),
      floor,
      target: null,
    }))
    .filter(({ value }) => value >= 0.01 * floor);
}

/** Adds up the samples of a profile by part. Adds the time of Node's own modules and of built-in functions to the part that called them. */
function partsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ProfiledPart[] {
  const parts = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const assign = (node: Profiler.ProfileNode, callerPart: string) => {
    const part = partOf(node.callFrame) ?? callerPart;
    parts.set(node.id, part);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) assign(child, part);
    }
  };
  if (nodes[0]) assign(nodes[0], 'Node');
  const sums = new Map<string, number>();
  samples.forEach((id, n) => {
    const part = parts.get(id) ?? 'Node';
    sums.set(part, (sums.get(part) ?? 0) + (timeDeltas[n] ?? 0) / 1000);
  });
  for (const part of NOT_MEASURED) sums.delete(part);
  return [...sums].map(([part, ms]) => ({ part, ms })).sort((a, b) => b.ms - a.ms);
}

const NOT_MEASURED = ['idle', 'the profiler'];

const V8_PARTS = new Map([
  ['(idle)', 'idle'],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'Node and the system calls'],
]);

/** Returns the part to which a function belongs; null for Node's own and built-in functions. */
function partOf({ functionName, url }: Profiler.ProfileNode['callFrame']): string | null {
  const v8Part = V8_PARTS.get(functionName);
  if (v8Part !== undefined) return v8Part;
  const [, packageName] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? [];
  if (packageName !== undefined) return packageName;
  if (url === 'node:inspector') return 'the profiler';
  if (url.startsWith('node:') || url === '') return null;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return path.relative(ROOT, file).split(path.sep).slice(0, 2).join('/');
}
