import type { World } from '../settings/world.ts';

const TERMINAL_INTERVAL_MS = 200;
const PLAIN_INTERVAL_MS = 10_000;

/** Returns a function that shows how many of `total` are done: one line redrawn on a terminal, else a line every 10 seconds. */
export function importProgress({ stderr, elapsedMs }: World, total: number): (done: number) => void {
  const isTerminal = stderr.isTTY === true;
  const intervalMs = isTerminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  const startMs = elapsedMs();
  let shownMs = startMs;
  let width = 0;
  return (done) => {
    const nowMs = elapsedMs();
    const isLast = done === total;
    if (nowMs - shownMs < intervalMs && !(isTerminal && isLast)) return;
    shownMs = nowMs;
    const text = progressText(done, total, nowMs - startMs);
    // Spaces cover the rest of the previous line, because NO_COLOR output has no escape sequences.
    stderr.write(isTerminal ? `\r${text.padEnd(width)}${isLast ? '\n' : ''}` : `${text}\n`);
    width = text.length;
  };
}

function progressText(done: number, total: number, elapsedMs: number): string {
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  const leftS = Math.ceil((total - done) / Math.max(rate, 0.001));
  const left = leftS < 90 ? `${leftS} s` : `${Math.ceil(leftS / 60)} min`;
  return `${done} of ${total}, ${rate.toFixed(rate < 10 ? 1 : 0)} a second, ${left} left`;
}
