/** The base URLs of a running emulator, without a trailing slash. */
export interface EmulatorUrls {
  url: string;
  /** HTTP URL of the edge. The same port serves HTTPS. */
  edgeUrl: string;
  sandboxOrigin: string;
}
