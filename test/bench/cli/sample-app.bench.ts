import path from 'node:path';
import { CLI, root, startProcess } from '../measured-process.ts';
import type { BenchRow } from '../report.ts';
import { interleave, median } from '../rounds.ts';

const ROUNDS = 7;
const WALL_MAX_MS = 2_000;
const TESTS = path.join(root, 'test/fixtures/sample-app/app.test.mjs');

/**
 * Measures the sample app's full integration test under `emulator exec --clock auto`: live, broken, repaired, renewed, expired, eight
 * failed deliveries, redelivery. The baseline is a Node process that does nothing.
 */
export async function sampleApp(): Promise<BenchRow[]> {
  const runner = ['--test', '--test-reporter=dot'];
  const { app, floor } = await interleave(ROUNDS, {
    app: () => wallMs([CLI, 'emulator', 'exec', '--clock', 'auto', '--', process.execPath, ...runner, TESTS]),
    floor: () => wallMs(['-e', '0']),
  });
  const value = median(app);
  const target = { text: `${WALL_MAX_MS} ms`, isMet: value < WALL_MAX_MS };
  return [{ name: 'sample app, whole test', unit: 'ms', value, floor: median(floor), target }];
}

async function wallMs(args: string[]): Promise<number> {
  const startedAt = performance.now();
  await startProcess(args).ended();
  return performance.now() - startedAt;
}
