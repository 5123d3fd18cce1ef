import { BUDGETS } from '../core/budgets.ts';

/** Limits for visitors and origins at the edge. Node's own defaults are too loose (`decisions/0005`). */
export const EDGE_LIMITS = {
  /** Maximum size of a visitor's request line and headers. */
  header_bytes_max: 16 * 1024,
  headersMax: 128,
  /** Maximum time for a request's headers, from the start of the connection or from the previous request. */
  headers_timeout_ms: 10_000,
  keep_alive_ms: 60_000,
  /** Maximum time for the TLS handshake, from the start of the connection. */
  handshake_timeout_ms: 10_000,
  /** While the edge waits for a visitor, at least this many bytes must be transferred in each time window, in either direction. */
  progress_window_ms: 60_000,
  progress_bytes_min: 1024,
  /**
   * Stricter values of `progress_window_ms` and `progress_bytes_min`, for a request while other requests wait for a connection to the same
   * origin. A slow visitor would block that connection.
   */
  contested_window_ms: 10_000,
  contested_bytes_min: 16 * 1024,
  connectionsMax: 20_000,
  connections_per_address_max: BUDGETS.edge_connections.limit,
  /** Maximum number of connections of one trusted proxy, which many visitors share. */
  connections_per_proxy_max: 10_000,
  /** Maximum number of unfinished requests on one HTTP/1.1 connection. */
  pipelined_max: BUDGETS.edge_pipelined.limit,
  /**
   * Maximum number of concurrent streams on one HTTP/2 connection, and the flow-control window of each stream. The window is the number of
   * upload bytes that the edge accepts before the origin reads them.
   */
  streams_max: BUDGETS.edge_streams.limit,
  stream_window_bytes: 256 * 1024,
  /** Number of streams that a visitor may open and reset in one burst, and then per second (CVE-2023-44487). */
  stream_resets_burst: BUDGETS.stream_resets.burst,
  stream_resets_per_s: BUDGETS.stream_resets.perSecond,
  /**
   * Maximum number of unfinished requests on all connections. A network may have only a share of these requests. Beyond this share, the
   * edge responds with 503.
   */
  requestsInFlightMax: BUDGETS.edge_requests.of,
  requests_network_parts: BUDGETS.edge_requests.parts,
  /**
   * Maximum number of bytes of an unwanted request body that are read and discarded, so that the response arrives before the connection is
   * reset.
   */
  maxDiscardedBytes: 1024 * 1024,
  /**
   * Maximum number of certificates that are ready for handshakes, about 60 kB each. A handshake with another certificate takes 0.4 ms more of
   * CPU time, besides the 1 ms of any full handshake.
   */
  certificates_hot_max: 1_000,
  /** How long the edge remembers that a certificate or a challenge does not exist. */
  certificate_absent_ms: 1_000,
  challenge_absent_ms: 1_000,
  /** Maximum number of concurrent lookups of certificates. */
  certificate_lookups_max: 256,
  /** How long a handshake waits for the lookup of its certificate to begin. */
  certificate_wait_ms: 10_000,
  /** How long a handshake of TLS 1.2 waits for the lookup of a challenge. */
  challenge_wait_ms: 250,
  /** How long a visitor may resume a TLS session, provided that the key of its ticket still exists. */
  session_ms: 12 * 3_600_000,
  pools_max: 512,
  origin_connections_max: 256,
  /** Maximum number of connections to an origin for visitors from one network, once half of the connections are in use. */
  origin_connections_per_network_max: BUDGETS.origin_connections.limit,
  /** Maximum number of requests that wait for a connection to one origin, in total and from one network, and how long each may wait. */
  origin_queued_max: 4096,
  origin_queued_per_network_max: BUDGETS.origin_queue.limit,
  origin_queue_ms: 15_000,
  origin_headers_timeout_ms: 60_000,
  origin_idle_ms: 60_000,
  origin_header_bytes_max: 64 * 1024,
  /** Maximum number of interim responses (1xx) before the final response. */
  origin_interim_max: 16,
  /** Maximum number of WebSockets to one origin, in total and from one network. They use their own connections. */
  origin_tunnels_max: 4096,
  origin_tunnels_per_network_max: BUDGETS.origin_tunnels.limit,
  /** Time without a byte in either direction after which a WebSocket is closed. */
  tunnel_idle_ms: 300_000,
  /**
   * How often the edge checks whether the domains of unfinished requests are still served. Traffic of a deleted domain must stop within 5
   * s.
   */
  route_check_ms: 1_000,
};
export type EdgeLimits = { [Name in keyof typeof EDGE_LIMITS]: number };
