/** The base URLs of a running emulator, without a trailing slash. */
export interface EmulatorUrls {
  url: string;
  /** HTTP URL of the edge. The same port serves HTTPS. */
  edge_url: string;
  sandbox_origin: string;
}
