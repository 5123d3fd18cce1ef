import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres.ts';
import { deliverBesideHangingApp, quantile } from '../service/hanging-app.ts';

const DOMAINS = 250;

describePostgres('An app whose endpoint hangs', () => {
  test("with 100 000 due lanes: another app's events all arrive meanwhile, as fast as before", async () => {
    const { alone_ms, beside_ms, ...hanging } = await deliverBesideHangingApp(100_000, DOMAINS, 1);
    for (const [name, share] of [
      ['median', 0.5],
      ['p99', 0.99],
    ] as const) {
      const [alone, beside] = [quantile(alone_ms, share), quantile(beside_ms, share)];
      console.log(
        `${name}: alone ${alone.toFixed(1)} ms, beside ${beside.toFixed(1)} ms, ratio ${(beside / alone).toFixed(2)}`,
      );
    }
    console.log(hanging);
    expect(beside_ms).toHaveLength(DOMAINS);
    expect(hanging.attempts_begun - hanging.attempts_ended).toBeLessThanOrEqual(20);
    expect(hanging.lanes_due).toBeGreaterThan(90_000);
  });
});
