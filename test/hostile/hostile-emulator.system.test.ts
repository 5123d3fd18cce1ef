import { describeTarget, testFuzz } from './describe-target.ts';
import { seedOf } from './hostile-run.ts';

describeTarget('the emulator', (start) =>
  testFuzz(start, {
    connections: 1_000,
    seed: seedOf({ HOSTILE_SEED: '1', ...process.env }),
    timeoutMs: 600_000,
  }),
);
