import type { Clock } from '../../shared/ports/clock.ts';
import type { Outbound } from '../../shared/ports/outbound.ts';

/** Wraps an outbound client so that response times follow the emulator's clock. On a frozen clock they are 0, so that two runs compare. */
export function timedByClock(outbound: Outbound, clock: Clock): Outbound {
  return {
    ...outbound,
    async send(request) {
      const sentAt = clock.now();
      const result = await outbound.send(request);
      return { ...result, response_ms: clock.now() - sentAt };
    },
  };
}
