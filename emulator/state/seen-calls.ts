import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Instant } from '../../shared/core/instant.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { Clock } from '../../shared/ports/system.ts';

/** A request to the API, with the status of its response. */
export interface SeenCall {
  at: Instant;
  method: string;
  /** The path with the query string. */
  path: string;
  status: number;
}

/** The newest requests to the API, newest first. */
export interface SeenCalls {
  /** Records a request once it has its response. Ignores requests outside the API. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  list(): readonly SeenCall[];
}

const CALLS_MAX = 200;

export function createSeenCalls(clock: Clock): SeenCalls {
  let kept: SeenCall[] = [];
  return {
    watch({ method = '', url = '' }, response) {
      if (!url.startsWith('/v1/')) return;
      response.once('close', () => {
        kept = [{ at: clock.now(), method, path: url, status: response.statusCode }, ...kept].slice(
          0,
          CALLS_MAX,
        );
      });
    },
    list: () => kept,
  };
}

const REQUESTS_MAX = 1000;

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
      if (kept.length > 2 * REQUESTS_MAX) kept = kept.slice(-REQUESTS_MAX);
    },
    list: () => kept.slice(-REQUESTS_MAX).reverse(),
    clear() {
      kept = [];
    },
  };
}
