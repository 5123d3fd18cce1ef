/** The DNS lookup of the white-label check: the CNAME chain of a host. */
export interface CnameLookup {
  /**
   * Looks up the CNAME chain of a host.
   * @param lookedFor the name that the chain should reach, and whether it has already reached it. Until then, no resolver is asked before
   * the zone's own servers are right, so that none caches a negative answer (RFC 2308 section 5).
   * @returns the names of the chain, without the host itself. Empty if there is no CNAME.
   * Null if the lookup failed (timeout, SERVFAIL, refused), which proves nothing.
   */
  chain(host: string, lookedFor: ChainTarget): Promise<readonly string[] | null>;
}

export interface ChainTarget {
  target: string;
  known: boolean;
}
