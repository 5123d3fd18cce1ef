import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { deliverBesideHangingApps } from './hanging-app.ts';

describePostgres('An app whose endpoint hangs', () => {
  test("has few attempts in flight, so another app's events arrive before any of them ends", async () => {
    const hanging = { apps: 1, lanes: 3_000 };
    const { beside_ms, attempts_begun, attempts_ended, lanes_due } = await deliverBesideHangingApps(
      hanging,
      30,
      30,
    );
    expect(beside_ms).toHaveLength(30);
    expect({ attempts_begun, attempts_ended }).toEqual({ attempts_begun: 20, attempts_ended: 0 });
    expect(lanes_due).toBe(2_980);
  });

  test('leaves room for the events of another app, even if many such apps could fill the node', async () => {
    // With 20 attempts each, these apps would need 480 of the 400 slots.
    const hanging = { apps: 24, lanes: 300 };
    const { beside_ms, attempts_begun, attempts_ended } = await deliverBesideHangingApps(hanging, 30, 30);
    expect(beside_ms).toHaveLength(30);
    expect(attempts_ended).toBe(0);
    expect(attempts_begun).toBeGreaterThan(240);
    expect(attempts_begun).toBeLessThan(340);
  });
});
