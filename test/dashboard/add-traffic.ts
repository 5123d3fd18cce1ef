import type { DomainId } from '../../shared/core/ids.ts';
import { HOUR_MS } from '../../shared/core/instant.ts';
import { countRequest, noTraffic } from '../../shared/core/traffic/traffic-counts.ts';
import type { Context } from '../../shared/operations/context.ts';
import { writeTraffic } from '../../shared/store/traffic/write-traffic.ts';

/** Adds a day of traffic for a domain, with a busy evening and an hour in which the origin failed. */
export async function addTraffic({ store, clock }: Context, domainId: DomainId): Promise<void> {
  const now = clock.now();
  for (let ago = 0; ago < 24; ago++) {
    const hour = Math.floor(now / HOUR_MS - ago) * HOUR_MS;
    const counts = noTraffic();
    for (let i = 0; i < 40 + 30 * Math.round(3 + 3 * Math.sin(ago / 4)); i++) {
      const isDown = ago === 5 && i % 3 === 0;
      const status = isDown ? 502 : i % 11 === 0 ? 404 : i % 29 === 0 ? null : 200;
      const latencyMs = isDown || status === null ? null : 8 + (i % 90);
      countRequest(counts, { status, bytesIn: 600, bytesOut: 18_000, latencyMs, originFailed: isDown });
    }
    const batch = {
      writer: 'test',
      number: ago + 1,
      hour,
      domains: new Map([[domainId, counts]]),
      apps: new Map(),
    };
    await writeTraffic(store, batch, now);
  }
}
