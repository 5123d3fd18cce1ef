import { describe, expect, test } from 'vitest';
import { describeUnlessMissing } from '../fixtures/describe-unless-missing.ts';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import {
  fuzzOf,
  type HostileFigures,
  isBack,
  printFigures,
  runHostile,
  type SettledLevels,
  summaryOf,
} from './hostile-run.ts';
import { startEmulator, startService, startServiceNode, type Target } from './target.ts';

/** The processes to which hostile visitors connect. */
const TARGETS = {
  'the emulator': { start: startEmulator, group: describe },
  'service start': { start: startService, group: describePostgres },
  'a node that forwards to loopback': { start: startServiceNode, group: describePostgres },
} as const;

export type TargetName = keyof typeof TARGETS;
export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[];

const missing = process.platform === 'linux' ? null : 'only Linux tells what a process holds open';

/** Groups tests of hostile connections to one process. */
export function describeTarget(name: TargetName, tests: (start: () => Promise<Target>) => void): void {
  const { start, group } = TARGETS[name];
  describeUnlessMissing(missing, 'Under hostile connections', () => group(name, () => tests(start)));
}

/** Adds a test with random connections. `HOSTILE_SEED` repeats a run, and `HOSTILE_ONLY` repeats single connections of the run. */
export function testFuzz(
  start: () => Promise<Target>,
  { connections, seed, timeoutMs }: { connections: number; seed: number; timeoutMs: number },
): void {
  test(
    `${connections} connections of every kind harm nobody and leave nothing behind`,
    async () => {
      await using target = await start();
      const figures = await runHostile(target, await fuzzOf(target, seed, connections));
      printFigures(figures);
      expectUnharmed(figures);
    },
    timeoutMs,
  );
}

/** Expects that the process and the good visitors were unharmed, and that nothing of the hostile connections remains. */
export function expectUnharmed(figures: HostileFigures): void {
  const { seed, crash, contained, lost, neverReleased, before, after, goodRequests } = figures;
  expect({ seed, crash, contained, lost: lost.slice(0, 5), neverReleased }).toEqual({
    seed,
    crash: null,
    contained: 0,
    lost: [],
    neverReleased: 0,
  });
  expect(Math.min(...Object.values(goodRequests))).toBeGreaterThan(0);
  const said = `The process holds more than before: ${JSON.stringify({ seed, before: summaryOf(before), after: summaryOf(after), opened: openedBetween(before, after) }, null, 2)}`;
  expect(after !== null && isBack(after, before), said).toBe(true);
}

/** Returns the descriptors that were opened between two measurements and are still open. */
function openedBetween(before: SettledLevels | null, after: SettledLevels | null): string[] {
  const known = new Set(before?.descriptors.map((line) => line.split(' ', 1)[0]));
  return after?.descriptors.filter((line) => !known.has(line.split(' ', 1)[0] ?? '')).slice(0, 20) ?? [];
}
