/** What the white-label check asks of the DNS: the CNAME chain of a host. */
export interface CnameLookup {
  /**
   * @returns the names that the chain goes through, the host itself left out: empty where there is no CNAME;
   * null when it could not be told (timeout, SERVFAIL, refused), which is never evidence of anything.
   */
  chain(host: string): Promise<readonly string[] | null>;
}
