import { expect, test } from 'vitest';
import type { AppId } from '../../../shared/core/ids.ts';
import { LIMITS } from '../../../shared/core/limits.ts';
import {
  deleteOriginProbes,
  insertOriginProbe,
  listOriginProbes,
} from '../../../shared/store/accounts/origin-probes.ts';
import type { Tx } from '../../../shared/store/store.ts';
import { NOW } from '../rows.ts';

const APP = 'app_probed' as AppId;
const OTHER = 'app_other' as AppId;
const MAX = LIMITS.origin_probes_per_app;

export function originProbeTests(store: () => Tx): void {
  const probe = (at: number) => ({ at, status_code: 200, latency_ms: 12, reason: null });
  const times = async (app: AppId) => (await listOriginProbes(store(), app)).map(({ at }) => at - NOW);

  test('lists the probes of an app newest first, with what each one found', async () => {
    const failed = { at: NOW + 1, status_code: null, latency_ms: 3, reason: 'origin_timeout' as const };
    await insertOriginProbe(store(), APP, probe(NOW));
    await insertOriginProbe(store(), APP, failed);
    await insertOriginProbe(store(), OTHER, probe(NOW + 2));
    expect(await listOriginProbes(store(), APP)).toEqual([failed, probe(NOW)]);
  });

  test('keeps the newest probes of each app, and no more than its limit', async () => {
    await insertOriginProbe(store(), OTHER, probe(NOW));
    for (let n = 0; n < 2 * MAX + 3; n++) await insertOriginProbe(store(), APP, probe(NOW + n));
    expect(await times(APP)).toEqual(Array.from({ length: MAX }, (_, n) => 2 * MAX + 2 - n));
    expect(await times(OTHER)).toEqual([0]);
  });

  test('never exceeds the limit when probes have the same time', async () => {
    for (let n = 0; n < MAX + 5; n++) await insertOriginProbe(store(), APP, probe(NOW));
    expect((await times(APP)).length).toBe(MAX);
  });

  test('deletes the probes of one app', async () => {
    for (const app of [APP, OTHER]) await insertOriginProbe(store(), app, probe(NOW));
    await deleteOriginProbes(store(), APP);
    expect([await times(APP), await times(OTHER)]).toEqual([[], [0]]);
  });
}
