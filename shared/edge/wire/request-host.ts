/** The parts of a request's Host header, so that a redirect can name another host with the same suffix and port. */
export interface RequestHost {
  /**
   * The hostname in lowercase, without port, trailing dot, or the emulator's `.localhost`. The edge finds the route by this name, and the
   * origin receives it as Host.
   */
  hostname: string;
  /** `.localhost` if the emulator removed it from the hostname, else empty. */
  suffix: string;
  /** `:<port>` as the visitor sent it, else empty. */
  port: string;
}

/** Matches a hostname or an address in brackets. Labels may contain `_`, because a sandbox name starts with a domain id. */
const HOST = /^(?<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?<port>:[0-9]{1,5})?$/;
export const HOST_CHARS_MAX = 253 + '.:65535'.length + '.localhost'.length;

/** Parses a Host header (RFC 9110 section 7.2). Returns null if it is not a plain host and port. */
export function readHost(
  value: string,
  { localhostSuffix }: { localhostSuffix: boolean },
): RequestHost | null {
  if (value.length > HOST_CHARS_MAX) return null;
  const { name, port = '' } = HOST.exec(value.toLowerCase())?.groups ?? {};
  if (name === undefined || Number(port.slice(1)) > 65_535) return null;
  const suffix = localhostSuffix && name.endsWith('.localhost') ? '.localhost' : '';
  const hostname = name.slice(0, name.length - suffix.length);
  return hostname.length > 253 ? null : { hostname, suffix, port };
}

/** Returns the host and port at which the same visitor reaches another hostname of the edge. */
export function authorityOf({ suffix, port }: RequestHost, hostname: string): string {
  return `${hostname}${suffix}${port}`;
}
