/** The record types that a check asks for. */
export type LookupType = 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'NS' | 'SOA' | 'DS' | 'CAA';

/** One record of an answer, in the order it came. */
export interface SeenRecord {
  /** Lowercase, no trailing dot, unusual bytes escaped as in RFC 4343. */
  name: string;
  type: string;
  /** Presentation form: an address, a name without trailing dot, the text of a TXT, `<flags> <tag> "<value>"` of a CAA. */
  value: string;
  ttl_s: number;
}

/**
 * What became of a look-up. `answer` has at least one record of the type asked for, or a CNAME; `nxdomain` and `nodata` are a
 * definite no (RFC 2308); `unknown` could not be told, and is evidence of nothing. `nxdomain` is about the last name of the chain,
 * whose CNAMEs are then in the records.
 */
export type LookupOutcome = 'answer' | 'nxdomain' | 'nodata' | 'unknown';

/** Why a look-up could not be told. */
export type LookupFailure =
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'not_allowed'
  | 'loop';

/** One question, whom it was put to, and what came back, CNAMEs followed to their end. */
export interface Lookup {
  /** Who was asked: `1.1.1.1`, or `ns1.example.net (192.0.2.1)`. */
  server: string;
  name: string;
  type: LookupType;
  outcome: LookupOutcome;
  /** With `unknown` alone. */
  failure: LookupFailure | null;
  /** INFO-CODEs of Extended DNS Errors (RFC 8914). */
  ede: readonly number[];
  /** The chain of CNAMEs in their order, then the records of the type asked for. */
  records: readonly SeenRecord[];
  /** How long a definite no may be remembered: the smaller of the SOA's TTL and MINIMUM (RFC 2308 section 5). */
  negative_ttl_s: number | null;
  response_ms: number;
}

/** A hostname as one server sees it. A look-up that the check did not need is null. */
export interface NameView {
  server: string;
  a: Lookup;
  aaaa: Lookup | null;
  /** TXT at `DnsExpectation.txt_name`. */
  txt: Lookup | null;
}

/** How the zone that holds the hostname is delegated. */
export interface Delegation {
  /** The zone cut at or above the hostname; null where it was not found. */
  zone: string | null;
  /** Whether the parent's servers said that the registrable domain does not exist. */
  registered: boolean | null;
  /**
   * Names of the servers as the parent has them, and as the zone itself has them; lowercase, sorted. The zone's own list is asked
   * for with the probes, and empty without.
   */
  parent_servers: readonly string[];
  own_servers: readonly string[];
  /** Servers of the delegation that answered without authority, or refused. */
  lame_servers: readonly string[];
}

/** Looked at only where the record is not right, or where everything is asked for. */
export interface Probes {
  /** The hostname with its registrable domain typed twice, `careers.acme.com.acme.com`. */
  doubled_host: Lookup | null;
  /** The same with a random first label: what answers here answers everywhere (a wildcard zone). */
  doubled_wildcard: Lookup | null;
  /** CNAME at `_acme-challenge.<hostname>`. */
  acme_challenge: Lookup | null;
  /** The hostname once more, without DNSSEC validation (CD bit), where a resolver answered SERVFAIL. */
  unvalidated: Lookup | null;
  /** Every type at the hostname that a CNAME must not stand beside. */
  beside_cname: readonly Lookup[];
  /** CAA from the hostname, and from each CNAME target, up to the root; empty where not asked. */
  caa: readonly Lookup[];
}

/** All that one check looked up. Pure data: findings are a function of it, and `domains diagnose` prints it. */
export interface DnsSurvey {
  delegation: Delegation | null;
  /** The zone's own servers, before any cache; empty where they were not asked. */
  authorities: readonly NameView[];
  /** The public resolvers; empty where they were not asked. */
  resolvers: readonly NameView[];
  probes: Probes;
}
