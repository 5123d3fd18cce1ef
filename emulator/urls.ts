/** Where the parts of a running emulator are, without a slash at the end. */
export interface EmulatorUrls {
  url: string;
  /** By HTTP; HTTPS is at the same port. */
  edge_url: string;
  sandbox_origin: string;
}
