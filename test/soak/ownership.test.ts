import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { type History, runHistory } from '../operations/dns/ownership-history.ts';
import { openDatabase } from '../store/open-postgres.ts';

const STEPS = Number(process.env['OWNERSHIP_STEPS'] ?? 20_000);
const SEED = Number(process.env['OWNERSHIP_SEED'] ?? 1000);
const STEPS_OF_ONE = 250;
const TIMEOUT_MS = 3_600_000;

test(`the rules of ownership hold in random histories of ${STEPS} steps on SQLite`, {
  timeout: TIMEOUT_MS,
}, async () => {
  await runAll((seed, hostname) => runHistory({ seed, steps: STEPS_OF_ONE, hostname }));
});

describePostgres('Postgres', () => {
  test(`the rules of ownership hold in random histories of ${STEPS} steps`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    await runAll(async (seed, hostname) => {
      await using opened = await openDatabase();
      return await runHistory({ seed, steps: STEPS_OF_ONE, hostname }, opened.store);
    });
  });
});

async function runAll(run: (seed: number, hostname: string) => Promise<History>): Promise<void> {
  const total: History = { steps: 0, checks: 0, changes: 0, followed: 0 };
  for (let seed = SEED; total.steps < STEPS; seed += 1) {
    const history = await run(seed, seed % 2 === 0 ? 'acme.com' : 'careers.acme.com');
    for (const key of Object.keys(total) as (keyof History)[]) total[key] += history[key];
  }
  console.log({ seeds: [SEED, SEED + STEPS / STEPS_OF_ONE - 1], ...total, violations: 0 });
  expect(total.changes).toBeGreaterThan(STEPS / 100);
}
