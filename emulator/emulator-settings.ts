import { PLANS } from '../shared/core/accounts/plan.ts';
import { serviceZones } from '../shared/core/edge/service-zones.ts';
import { DAY_MS } from '../shared/core/instant.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';

/** Returns the settings in which the emulator differs from a hosted service (`docs/emulator.md`). */
export function emulatorSettings(baseUrl: string): Settings {
  return {
    names: serviceNames('Service'),
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    edge_zone: 'edge.nameplate.test',
    sandboxZone: 'sandbox.nameplate.test',
    edge_ipv4: ['127.0.0.1'],
    edge_ipv6: ['::1'],
    caa_issuers: [],
    service_zones: serviceZones([baseUrl], ['nameplate.test']),
    plans: PLANS,
    rate: { perSecond: 100, burst: 200 },
    appRate: null,
    // Ten years: if a test moves the clock by months, its events must still be there.
    retentionMs: 3650 * DAY_MS,
    timer_for_live: true,
    allowLoopback: true,
    single_process: true,
  };
}
