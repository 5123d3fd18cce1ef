import type { Output } from '../output/output.ts';
import { createProgress } from '../output/progress.ts';
import type { World } from '../settings/world.ts';

const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 10_000;

/** Shows how many hostnames are done. */
export interface ImportProgress {
  show(done: number): void;
  close(): Promise<void>;
}

/** Shows how many of `total` are done: a bar on a terminal, else a line every 10 seconds. */
export function importProgress(world: World, output: Output, total: number): ImportProgress {
  const { stderr, elapsedMs } = world;
  const progress = createProgress(world, output);
  const intervalMs = progress === null ? PLAIN_INTERVAL_MS : TERMINAL_INTERVAL_MS;
  const startMs = elapsedMs();
  let shownMs = startMs;
  return {
    show(done) {
      const nowMs = elapsedMs();
      if (nowMs - shownMs < intervalMs && done !== total) return;
      if (progress === null && nowMs - shownMs < intervalMs) return;
      shownMs = nowMs;
      const pace = paceText(done, total, nowMs - startMs);
      if (progress === null) stderr.write(`${done} of ${total}, ${pace}\n`);
      else progress.show({ bar: { done, total }, hint: pace });
    },
    close: async () => progress?.close(),
  };
}

function paceText(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const leftS = Math.ceil((total - done) / Math.max(rate, 0.001));
  const left = leftS < 90 ? `${leftS} s` : `${Math.ceil(leftS / 60)} min`;
  return `${rate.toFixed(rate < 10 ? 1 : 0)} a second, ${left} left`;
}
