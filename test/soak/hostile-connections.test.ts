import { test } from 'vitest';
import { describeTarget, expectUnharmed, TARGET_NAMES, testFuzz } from '../hostile/describe-target.ts';
import { attackOf, printFigures, runHostile, seedOf } from '../hostile/hostile-run.ts';
import { KNOWN_ATTACKS } from '../hostile/known-attacks.ts';

const ATTACKS = 1_000;
/** Number of connections to each of three processes, about a hundred thousand in total. */
const CONNECTIONS = Number(process.env['HOSTILE_CONNECTIONS'] ?? 34_000);
const FUZZ_TIMEOUT_MS = 1_200_000;

for (const name of TARGET_NAMES) {
  describeTarget(name, (start) => {
    const attacks = KNOWN_ATTACKS.map(({ title }, number) => [title, number] as const);
    test.each(attacks)('the edge survives %s a thousand times', async (_title, number) => {
      await using target = await start();
      const figures = await runHostile(target, attackOf(target, seedOf(process.env), ATTACKS, number));
      printFigures(figures);
      expectUnharmed(figures);
    });

    testFuzz(start, { connections: CONNECTIONS, seed: seedOf(process.env), timeoutMs: FUZZ_TIMEOUT_MS });
  });
}
