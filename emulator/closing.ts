import type { Outbound, OutboundResult } from '../shared/ports/outbound.ts';
import type { Log } from '../shared/ports/system.ts';

/** The error of an outbound request that was in flight when the emulator closed. The outcome of the request is unknown. */
class ClosedDuringRequest extends Error {
  constructor() {
    super('the emulator closed during a request');
    this.name = 'ClosedDuringRequest';
  }
}

/**
 * Wraps an outbound client so that `close` ends its requests immediately. The promise of an interrupted request rejects. No failed attempt
 * is recorded, and the emulator repeats the request after its next start, as after a crash.
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

/** Returns a log that drops the errors of requests which were interrupted when the emulator closed. */
export function withoutClosing(log: Log): Log {
  return {
    ...log,
    error(fields, message) {
      if (!(fields['error'] instanceof ClosedDuringRequest)) log.error(fields, message);
    },
  };
}
