/** What bounds a visitor and an origin at the edge. Node's own defaults are loose (`decisions/0005`). */
export const EDGE_LIMITS = {
  /** Request line and headers of a visitor. */
  header_bytes_max: 16 * 1024,
  headers_max: 128,
  /** From the connection, or the request before it, to the last header. */
  headers_timeout_ms: 10_000,
  keep_alive_ms: 60_000,
  /** From the connection to the end of the TLS handshake. */
  handshake_timeout_ms: 10_000,
  /** A visitor that the edge waits for moves at least so many bytes in each such window, in either direction. */
  progress_window_ms: 60_000,
  progress_bytes_min: 1024,
  /** And so many, where others wait for its connection to the origin: what one took that reads at a crawl, another could have. */
  contested_window_ms: 10_000,
  contested_bytes_min: 16 * 1024,
  connections_max: 20_000,
  connections_per_address_max: 1024,
  /** Requests of one HTTP/1.1 connection that wait for their turn. */
  pipelined_max: 32,
  /** Streams of one HTTP/2 connection at the same time, and of their uploads what is taken before the origin takes it. */
  streams_max: 128,
  stream_window_bytes: 256 * 1024,
  /** Streams that a visitor may open and reset at once, and a second from then on (CVE-2023-44487). */
  stream_resets_burst: 200,
  stream_resets_per_s: 20,
  /** Requests that are being answered, over all connections; one more is 503. */
  requests_in_flight_max: 20_000,
  /** What is read and thrown away of a body that nobody wants, so that the answer arrives before the reset. */
  discarded_bytes_max: 1024 * 1024,
  /** Certificates that are kept ready for handshakes, at some 40 KB each. */
  certificates_hot_max: 5_000,
  /** For so long a name without a certificate, or a challenge, is not looked up again. */
  certificate_absent_ms: 1_000,
  challenge_absent_ms: 1_000,
  /** Names that are looked up at the same time. */
  certificate_lookups_max: 256,
  /** What a handshake of TLS 1.2 waits for the look-up of a challenge. */
  challenge_wait_ms: 250,
  /** For so long a visitor may resume a TLS session, if the keys of its tickets are still there. */
  session_ms: 12 * 3_600_000,
  pools_max: 512,
  origin_connections_max: 256,
  /** Of them, what visitors from one network have at the same time, once half of all are taken. */
  origin_connections_per_network_max: 64,
  /** Requests that wait for a connection to one origin, those from one network, and how long one of them waits. */
  origin_queued_max: 1024,
  origin_queued_per_network_max: 256,
  origin_queue_ms: 15_000,
  origin_headers_timeout_ms: 60_000,
  origin_idle_ms: 60_000,
  origin_header_bytes_max: 64 * 1024,
  /** Interim answers (1xx) before the answer itself. */
  origin_interim_max: 16,
  /** WebSockets to one origin, over connections of their own, and those of one network. */
  origin_tunnels_max: 4096,
  origin_tunnels_per_network_max: 512,
  /** A WebSocket on which no byte moves either way. */
  tunnel_idle_ms: 300_000,
  /** So often what is under way is held against the routes: a deleted domain stops within 5 s. */
  route_check_ms: 1_000,
};
export type EdgeLimits = typeof EDGE_LIMITS;
