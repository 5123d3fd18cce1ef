import type { BenchRow } from '../report.ts';
import { median } from '../rounds.ts';

/** How long processes took until they were done or ready, in milliseconds. */
export interface StartUp {
  wallMs: number;
  cpu_ms: number;
}

/** Reports wall time against its target, with the CPU time that explains it. */
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
