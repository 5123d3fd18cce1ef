/** What the white-label check asks of the DNS: the CNAME chain of a host. */
export interface CnameLookup {
  /**
   * @param looked_for the name that the chain should reach, and whether it is known to have reached it: before that, no resolver is
   *   asked until the zone's own servers are right, so that none remembers a "no" (RFC 2308 section 5).
   * @returns the names that the chain goes through, the host itself left out: empty where there is no CNAME;
   * null when it could not be told (timeout, SERVFAIL, refused), which is never evidence of anything.
   */
  chain(host: string, looked_for: ChainTarget): Promise<readonly string[] | null>;
}

export interface ChainTarget {
  target: string;
  known: boolean;
}
