import { expect, test } from 'vitest';
import { describePostgres } from '../../fixtures/postgres/postgres.ts';
import { deliverBesideHangingApps } from './hanging-app.ts';

describePostgres('An app whose endpoint hangs does not block others', () => {
  test("has few running attempts, so another app's events arrive before any of these attempts ends", async () => {
    const hanging = { apps: 1, lanes: 3_000 };
    const { besideMs, attemptsBegun, attemptsEnded, lanes_due } = await deliverBesideHangingApps(
      hanging,
      30,
      30,
    );
    expect(besideMs).toHaveLength(30);
    expect({ attemptsBegun, attemptsEnded }).toEqual({ attemptsBegun: 20, attemptsEnded: 0 });
    expect(lanes_due).toBe(2_980);
  });

  test('leaves room for the events of another app, even if many hanging apps could fill the node', async () => {
    // With 20 attempts each, the 24 hanging apps would need 480 slots, and the node has 400.
    const hanging = { apps: 24, lanes: 300 };
    const { besideMs, attemptsBegun, attemptsEnded } = await deliverBesideHangingApps(hanging, 30, 30);
    expect(besideMs).toHaveLength(30);
    expect(attemptsEnded).toBe(0);
    expect(attemptsBegun).toBeGreaterThan(240);
    expect(attemptsBegun).toBeLessThan(340);
  });
});
