import { expect, test } from 'vitest';
import { describePostgres } from '../fixtures/postgres.ts';
import { deliverBesideHangingApp } from './hanging-app.ts';

describePostgres('An app whose endpoint hangs', () => {
  test("has few attempts in flight, and another app's events arrive before any of them ends", async () => {
    const { beside_ms, attempts_begun, attempts_ended, lanes_due } = await deliverBesideHangingApp(
      3_000,
      30,
      30,
    );
    expect(beside_ms).toHaveLength(30);
    expect({ attempts_begun, attempts_ended }).toEqual({ attempts_begun: 20, attempts_ended: 0 });
    expect(lanes_due).toBe(2_980);
  });
});
