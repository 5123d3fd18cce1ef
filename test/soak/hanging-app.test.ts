import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres/postgres.ts';
import { deliverBesideHangingApps, quantile } from '../service/cluster/hanging-app.ts';

const DOMAINS = 250;

/** An app's limit of concurrent deliveries in `service/compose.ts`. Twelve apps together stay below a worker's limit of 400. */
const IN_FLIGHT_PER_APP_MAX = 20;

describePostgres('Apps whose endpoints hang', () => {
  test.each([
    { apps: 1, lanes: 100_000 },
    { apps: 12, lanes: 10_000 },
  ])(
    'do not slow down the events of another app, even with $lanes due queues in each of $apps apps',
    async ({ apps, lanes }) => {
      const { aloneMs, besideMs, ...hanging } = await deliverBesideHangingApps({ apps, lanes }, DOMAINS, 1);
      for (const [name, share] of [
        ['median', 0.5],
        ['p99', 0.99],
      ] as const) {
        const [alone, beside] = [quantile(aloneMs, share), quantile(besideMs, share)];
        console.log(
          `${name}: alone ${alone.toFixed(1)} ms, beside ${beside.toFixed(1)} ms, ratio ${(beside / alone).toFixed(2)}`,
        );
      }
      console.log(hanging);
      expect(besideMs).toHaveLength(DOMAINS);
      expect(hanging.attemptsBegun - hanging.attemptsEnded).toBeLessThanOrEqual(IN_FLIGHT_PER_APP_MAX * apps);
      expect(hanging.lanes_due).toBeGreaterThan(0.9 * apps * lanes);
    },
  );
});
