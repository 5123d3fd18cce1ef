import type { AppId } from '../core/ids.ts';

/** A change that other parts of the system should learn of once it is committed. A lost notice delays them, but breaks nothing. */
export type Notice =
  /** A job or lane became due. */
  | { kind: 'work' }
  /** An app has a new event: streams of its events look for it. */
  | { kind: 'event'; app_id: string }
  /** A key was revoked or its account changed: caches drop it. */
  | { kind: 'credentials'; app_id: string }
  /**
   * The route or the certificate of a hostname may have changed; `*.name` stands for all names below it. Edges also learn of it without
   * this notice (`decisions/0015`).
   */
  | { kind: 'route'; hostname: string }
  /** The routes of all hostnames of an app may have changed: its origin, its secret or its plan. */
  | { kind: 'routes'; app_id: AppId }
  /** Notices may have been lost: everything that caches by notices counts as stale. */
  | { kind: 'gap' }
  /** A signing secret was rotated. */
  | { kind: 'secret'; app_id: string };

export interface Notices {
  publish(notice: Notice): void;
  /** @returns a function that ends the subscription. */
  subscribe(listener: (notice: Notice) => void): () => void;
}
