import type { Log } from '../shared/ports/log.ts';
import type { Outbound, OutboundResult } from '../shared/ports/outbound.ts';

/** What a request out rejects with where the emulator closed in the middle of it: nothing is known of its answer. */
class ClosedMidway extends Error {
  constructor() {
    super('the emulator closed in the middle of a request');
    this.name = 'ClosedMidway';
  }
}

/**
 * The road out, which `close` ends at once. What is under way there is not an attempt that failed: it rejects, so that nothing is
 * recorded of it, and the next start goes on with it as after a crash.
 */
export function withClosing<T extends Outbound>(outbound: T): T {
  const under_way = new Set<(error: ClosedMidway) => void>();
  let closed = false;
  return {
    ...outbound,
    async send(request) {
      if (closed) throw new ClosedMidway();
      const { promise, resolve, reject } = Promise.withResolvers<OutboundResult>();
      under_way.add(reject);
      outbound.send(request).then(resolve, reject);
      try {
        return await promise;
      } finally {
        under_way.delete(reject);
      }
    },
    async close() {
      closed = true;
      for (const reject of under_way) reject(new ClosedMidway());
      await outbound.close();
    },
  };
}

/** The log without what went wrong only because the emulator closed: that is as it should be. */
export function withoutClosing(log: Log): Log {
  return {
    ...log,
    error(fields, message) {
      if (!(fields['error'] instanceof ClosedMidway)) log.error(fields, message);
    },
  };
}
