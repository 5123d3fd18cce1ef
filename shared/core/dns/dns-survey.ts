/** The record types that a check asks for. */
export type LookupType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'SOA' | 'DS' | 'CAA';

/** One record of an answer. */
export interface SeenRecord {
  /** Lowercase, no trailing dot, unusual bytes escaped as in RFC 4343. */
  name: string;
  type: string;
  /** Presentation form: an address, a name without trailing dot, the text of a TXT, `<flags> <tag> "<value>"` of a CAA. */
  value: string;
  ttl_s: number;
}

/**
 * The result of a lookup. `answer` has at least one record of the requested type, or a CNAME. `nxdomain` and `nodata` are a definite no
 * (RFC 2308). `unknown` means that no usable answer came, and is evidence of nothing. `nxdomain` is about the last name of the CNAME
 * chain; the CNAMEs are then in the records.
 */
export type LookupOutcome = 'answer' | 'nxdomain' | 'nodata' | 'unknown';

/** Why a lookup has the outcome `unknown`. */
export type LookupFailure =
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'not_allowed'
  | 'loop';

/** One DNS question, the server that was asked, and the result, with CNAMEs followed to their end. */
export interface Lookup {
  /** The server that was asked: `1.1.1.1`, or `ns1.example.net (192.0.2.1)`. */
  server: string;
  name: string;
  type: LookupType;
  outcome: LookupOutcome;
  /** Set if and only if the outcome is `unknown`. */
  failure: LookupFailure | null;
  /** INFO-CODEs of Extended DNS Errors (RFC 8914). */
  ede: readonly number[];
  /** The chain of CNAMEs in order, then the records of the requested type. */
  records: readonly SeenRecord[];
  /** How long a definite no may be cached, in seconds: the smaller of the SOA's TTL and MINIMUM (RFC 2308 section 5). */
  negative_ttl_s: number | null;
  response_ms: number;
}

/** A hostname as one server sees it. Lookups that the check did not need are null. */
export interface NameView {
  server: string;
  a: Lookup;
  aaaa: Lookup | null;
  /** TXT lookup at `DnsExpectation.txtName`. */
  txt: Lookup | null;
}

/** How the zone that holds the hostname is delegated. */
export interface Delegation {
  /** The zone cut at or above the hostname; null if it was not found. */
  zone: string | null;
  /** Whether the registrable domain exists according to the parent's servers; null if they did not say. */
  registered: boolean | null;
  /**
   * Names of the zone's servers according to the parent, and according to the zone itself; lowercase, sorted. The zone's own list is
   * requested only together with the probes, and is empty otherwise.
   */
  parent_servers: readonly string[];
  own_servers: readonly string[];
  /** Delegated servers that answered without authority, or refused to answer. */
  lame_servers: readonly string[];
}

/** Extra lookups, made only if the record is not right or a full diagnosis was requested. */
export interface Probes {
  /** The hostname with its registrable domain appended again, `careers.acme.com.acme.com`. */
  doubledHost: Lookup | null;
  /** The name of `doubledHost` with a random first label. If it resolves, the zone has a wildcard. */
  doubledWildcard: Lookup | null;
  /** A random name below `*.<hostname>`, looked up if the hostname has a record. It exists only if a wildcard made that record. */
  belowHostname: Lookup | null;
  /** CNAME at `_acme-challenge.<hostname>`. */
  acmeChallenge: Lookup | null;
  /** The hostname without DNSSEC validation (CD bit), looked up if a resolver answered SERVFAIL. */
  unvalidated: Lookup | null;
  /** The record types at the hostname that must not exist beside a CNAME. */
  besideCname: readonly Lookup[];
  /** CAA lookups from the hostname, and from each CNAME target, up to the root; empty if not requested. */
  caa: readonly Lookup[];
}

/** Everything that one check looked up. Plain data: findings are a function of it, and `domains diagnose` prints it. */
export interface DnsSurvey {
  delegation: Delegation | null;
  /** Views of the zone's own servers, without any cache; empty if they were not asked. */
  authorities: readonly NameView[];
  /** Views of the public resolvers; empty if they were not asked. */
  resolvers: readonly NameView[];
  probes: Probes;
}
