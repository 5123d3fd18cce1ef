import { expect, test } from 'vitest';
import { describeMove } from './describe-move.ts';
import { moveFromCaddy } from './move-from-caddy.ts';

const HOSTNAMES = 24;

describeMove('A move of hostnames from Caddy to Nameplate disturbs no visitor', () => {
  test('fails no handshake and loses no request, although nodes are killed during it', {
    timeout: 180_000,
  }, async () => {
    const { visits, kills, events, servedByOldHost } = await moveFromCaddy({
      hostnames: HOSTNAMES,
      kills: 2,
      requestsPerSecond: 50,
      seed: 1,
    });
    expect(visits.failures).toEqual([]);
    expect(servedByOldHost).toBeGreaterThan(0);
    expect(visits.requests).toBeGreaterThan(servedByOldHost);
    expect(kills).toBe(2);
    expect(events.size).toBe(HOSTNAMES);
    for (const types of events.values()) {
      expect(types).toEqual(['domain.created', 'domain.verified', 'domain.active']);
    }
  });
});
