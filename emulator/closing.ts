import type { Outbound, OutboundResult } from '../shared/ports/outbound.ts';
import type { Log } from '../shared/ports/system.ts';

/** Rejects a request that was in flight when the emulator closed. Its outcome is unknown. */
class ClosedDuringRequest extends Error {
  constructor() {
    super('the emulator closed during a request');
    this.name = 'ClosedDuringRequest';
  }
}

/**
 * Wraps an outbound client so that `close` ends its requests at once. An interrupted request rejects and does not count as a failed
 * attempt: nothing is recorded, and the next start repeats it, as after a crash.
 */
export function withClosing<T extends Outbound>(outbound: T): T {
  const underWay = new Set<(error: ClosedDuringRequest) => void>();
  let closed = false;
  return {
    ...outbound,
    async send(request) {
      if (closed) throw new ClosedDuringRequest();
      const { promise, resolve, reject } = Promise.withResolvers<OutboundResult>();
      underWay.add(reject);
      outbound.send(request).then(resolve, reject);
      try {
        return await promise;
      } finally {
        underWay.delete(reject);
      }
    },
    async close() {
      closed = true;
      for (const reject of underWay) reject(new ClosedDuringRequest());
      await outbound.close();
    },
  };
}

/** Returns the log without the errors that only mean the emulator closed. */
export function withoutClosing(log: Log): Log {
  return {
    ...log,
    error(fields, message) {
      if (!(fields['error'] instanceof ClosedDuringRequest)) log.error(fields, message);
    },
  };
}
