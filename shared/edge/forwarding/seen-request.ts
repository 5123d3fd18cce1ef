import type { Instant } from '../../core/instant.ts';

/** A request that the edge handled, for logs and displays. */
export interface SeenRequest {
  request_id: string;
  at: Instant;
  method: string;
  /** Path and query. */
  path: string;
  /** The hostname that the route was looked up by; null if the request had no readable Host. */
  host: string | null;
  domain_id: string | null;
  /** Null if the visitor left before a response. */
  status: number | null;
  /** The headers sent to the origin, in order; empty if nothing was forwarded. Computed on access, because few callers read it. */
  readonly headers: [name: string, value: string][];
}
