import type { Clock } from '../../shared/ports/clock.ts';
import type { Outbound } from '../../shared/ports/outbound.ts';

/** The road out, whose answers take as long as the clock says: none where it stands, so that two runs compare. */
export function timedByClock(outbound: Outbound, clock: Clock): Outbound {
  return {
    ...outbound,
    async send(request) {
      const sent_at = clock.now();
      const result = await outbound.send(request);
      return { ...result, response_ms: clock.now() - sent_at };
    },
  };
}
