import type { AppId } from '../core/ids.ts';

/** What other parts of the system have to hear of once it is committed. Losing one is never wrong, only slower. */
export type Notice =
  /** A job or lane became due. */
  | { kind: 'work' }
  /** An app has a new event: whoever follows its events looks. */
  | { kind: 'event'; app_id: string }
  /** A key was revoked, or its account changed: forget what is cached about it. */
  | { kind: 'credentials'; app_id: string }
  /** Where a hostname leads may have changed, or its certificate; `*.name` for all below it. Edges find out in any case (`decisions/0015`). */
  | { kind: 'route'; hostname: string }
  /** The same for all hostnames of an app: its origin, its secret or its plan. */
  | { kind: 'routes'; app_id: AppId }
  /** Notices may have been lost: whatever is cached by them is as good as unknown. */
  | { kind: 'gap' }
  /** A signing secret was rotated. */
  | { kind: 'secret'; app_id: string };

export interface Notices {
  publish(notice: Notice): void;
  /** @returns a function that ends the subscription. */
  subscribe(listener: (notice: Notice) => void): () => void;
}

/** Notices within one process. */
export function createLocalNotices(): Notices {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    publish(notice) {
      for (const listener of listeners) listener(notice);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
