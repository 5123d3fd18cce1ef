import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';

const KEPT_MAX = 1000;

/** The newest requests that the edge received, newest first. */
export interface SeenRequests {
  note(seen: SeenRequest): void;
  list(): SeenRequest[];
  clear(): void;
}

export function createSeenRequests(): SeenRequests {
  let kept: SeenRequest[] = [];
  return {
    note(seen) {
      kept.push(seen);
      if (kept.length > 2 * KEPT_MAX) kept = kept.slice(-KEPT_MAX);
    },
    list: () => kept.slice(-KEPT_MAX).reverse(),
    clear() {
      kept = [];
    },
  };
}
