/** What bounds a visitor and an origin at the edge. Node's own defaults are loose (`decisions/0005`). */
export const EDGE_LIMITS = {
  /** Request line and headers of a visitor. */
  header_bytes_max: 16 * 1024,
  headers_max: 128,
  /** From the connection, or the request before it, to the last header. */
  headers_timeout_ms: 10_000,
  keep_alive_ms: 60_000,
  /** A visitor that the edge waits for moves at least so many bytes in each such window, in either direction. */
  progress_window_ms: 60_000,
  progress_bytes_min: 1024,
  connections_max: 20_000,
  connections_per_address_max: 1024,
  /** Requests of one HTTP/1.1 connection that wait for their turn. */
  pipelined_max: 32,
  /** What is read and thrown away of a body that nobody wants, so that the answer arrives before the reset. */
  discarded_bytes_max: 1024 * 1024,
  pools_max: 512,
  origin_connections_max: 256,
  /** Requests that wait for a connection to one origin, and how long one of them waits. */
  origin_queued_max: 1024,
  origin_queue_ms: 15_000,
  origin_headers_timeout_ms: 60_000,
  origin_idle_ms: 60_000,
  origin_header_bytes_max: 64 * 1024,
  /** Interim answers (1xx) before the answer itself. */
  origin_interim_max: 16,
  /** A WebSocket on which no byte moves either way. */
  tunnel_idle_ms: 300_000,
};
export type EdgeLimits = typeof EDGE_LIMITS;
