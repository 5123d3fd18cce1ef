import { PLANS } from '../shared/core/accounts/plan.ts';
import { BUDGETS } from '../shared/core/budgets.ts';
import { DAY_MS } from '../shared/core/instant.ts';
import { challengeZoneOf, serviceZones } from '../shared/core/net/service-zones.ts';
import { serviceNames } from '../shared/core/service-name.ts';
import type { Settings } from '../shared/core/settings.ts';

/**
 * Returns the emulator's settings. Some differ from the settings of a hosted service (`docs/emulator.md`).
 * @param edgePort null without an edge.
 */
export function emulatorSettings(baseUrl: string, edgePort: number | null = null): Settings {
  return {
    names: serviceNames('Service'),
    baseUrl,
    hostUrl: edgePort === null ? 'https://{host}' : `http://{host}.localhost:${edgePort}`,
    docsUrl: `${baseUrl}/docs`,
    edgeZone: 'edge.nameplate.test',
    challengeZone: challengeZoneOf('edge.nameplate.test'),
    sandboxZone: 'sandbox.nameplate.test',
    edgeIpv4: ['127.0.0.1'],
    edgeIpv6: ['::1'],
    caaIssuers: ['letsencrypt.org'],
    serviceZones: serviceZones([baseUrl], ['nameplate.test']),
    revokesOnDelete: false,
    plans: PLANS,
    signUp: 'invite',
    operators: [],
    printsSignInLinks: false,
    rate: { perSecond: BUDGETS.api.perSecond, burst: BUDGETS.api.burst },
    appRate: null,
    // Keep events for ten years, so that a test that moves the clock by months still finds its events.
    retentionMs: 3650 * DAY_MS,
    trafficRetentionMs: 400 * DAY_MS,
    timerForLive: true,
    allowLoopback: true,
    singleProcess: true,
  };
}
