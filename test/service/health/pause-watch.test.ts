import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { stopwatch, watchPauses } from '../../../service/health/pause-watch.ts';

const PATIENT = { interval: 5 };

function world() {
  const clocks = { monotonic: 1_000, wall: 2_000 };
  const lines: string[] = [];
  const server = new EventEmitter() as Server;
  const add = (_: object, message: string) => lines.push(message);
  let looks = 0;
  const elapsedMs = stopwatch([{ now: () => clocks.monotonic }, { now: () => clocks.wall }]);
  const counted = () => {
    looks += 1;
    return elapsedMs();
  };
  watchPauses({ info: add, warn: add, error: add }, server, counted, 1);
  onTestFinished(() => void server.emit('close'));
  /** Waits until the watch has read both clocks again. */
  const look = async () => {
    const before = looks;
    await expect.poll(() => looks, PATIENT).toBeGreaterThan(before + 1);
  };
  return { clocks, lines, look };
}

test.each(['monotonic', 'wall'] as const)(
  'the pause watch logs once how long its process was paused, by its %s clock',
  async (name) => {
    const { clocks, lines, look } = world();
    clocks.monotonic += 4_000;
    clocks.wall += 4_000;
    await look();
    expect(lines).toEqual([]);
    clocks[name] += 120_000;
    await look();
    await look();
    expect(lines).toEqual([expect.stringContaining('for 120 s, this process was stopped')]);
  },
);
