import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';

/** Times in milliseconds until processes had ended or were ready. */
export interface StartUp {
  wallMs: number;
  cpu_ms: number;
}

/** Returns a row with the wall time and its target, and a row with the CPU time as an explanation. */
export function startUpRows(
  name: string,
  samples: readonly StartUp[],
  floor: readonly StartUp[],
  aboveMaxMs: number,
): BenchRow[] {
  return (['wall', 'cpu'] as const).map((kind) => {
    const [value, base] = [samples, floor].map((list) =>
      median(list.map((cost) => (kind === 'wall' ? cost.wallMs : cost.cpu_ms))),
    );
    const aboveMs = (value ?? 0) - (base ?? 0);
    return {
      name: `${name}, ${kind}`,
      unit: 'ms',
      value: value ?? 0,
      floor: base ?? 0,
      target: { text: `floor + ${aboveMaxMs}`, isMet: aboveMs <= aboveMaxMs },
    };
  });
}
