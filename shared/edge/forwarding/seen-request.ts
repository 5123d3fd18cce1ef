import type { Instant } from '../../core/instant.ts';

/** A request that the edge handled, for logs and displays. */
export interface SeenRequest {
  request_id: string;
  at: Instant;
  method: string;
  /** Path and query. */
  path: string;
  /** The hostname of the request; null if the request had no valid Host. */
  host: string | null;
  domain_id: string | null;
  /** The status of the response; null if the visitor left before the response. */
  status: number | null;
  /**
   * The headers that were sent to the origin, in order. Empty if the request was not forwarded. Computed on access, because few callers
   * read them.
   */
  readonly headers: [name: string, value: string][];
}
