/** Where the parts of a running emulator are, without a slash at the end. */
export interface EmulatorUrls {
  url: string;
  edge_url: string;
  sandbox_origin: string;
}
