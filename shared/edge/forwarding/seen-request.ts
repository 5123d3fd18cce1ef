import type { Instant } from '../../core/instant.ts';

/** A request that passed the edge, for whoever shows it. */
export interface SeenRequest {
  request_id: string;
  at: Instant;
  method: string;
  /** Path and query. */
  path: string;
  /** The Host as routed; null when there was none to be read. */
  host: string | null;
  domain_id: string | null;
  /** Null when the visitor left before there was an answer. */
  status: number | null;
  /** Names and values as the origin got them, in order; empty when nothing was forwarded. Made when it is read: most do not. */
  readonly headers: [name: string, value: string][];
}
