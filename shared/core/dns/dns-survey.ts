import type { PublicPath } from '../public-path/public-path.ts';

/** The record types that a check asks for. */
export type LookupType =
  | 'A'
  | 'AAAA'
  | 'CNAME'
  | 'MX'
  | 'TXT'
  | 'NS'
  | 'SOA'
  | 'DS'
  | 'DNSKEY'
  | 'CAA'
  | 'HTTPS';

/** One record in a response. */
export interface SeenRecord {
  /** Lowercase, without a trailing dot, with unusual bytes escaped as in RFC 4343. */
  name: string;
  type: string;
  /** Presentation form: an address, a name without trailing dot, the text of a TXT, `<flags> <tag> "<value>"` of a CAA. */
  value: string;
  ttl_s: number;
}

/**
 * The result of a lookup. `answer` has at least one record of the requested type, or a CNAME. `nxdomain` and `nodata` say for certain that
 * there is no record (RFC 2308). `unknown` means that no usable response came, and proves nothing. `nxdomain` is about the last name of the
 * CNAME chain, and the records then contain the CNAMEs.
 */
export type LookupOutcome = 'answer' | 'nxdomain' | 'nodata' | 'unknown';

/**
 * Why a lookup has the outcome `unknown`. `blocked`: the resolver blocks the name for its users, so its response says nothing about the zone.
 */
export type LookupFailure =
  | 'blocked'
  | 'timeout'
  | 'servfail'
  | 'refused'
  | 'unreachable'
  | 'malformed'
  | 'not_allowed'
  | 'loop';

/** The result of asking one server one DNS question, with CNAMEs followed to their end. */
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
  /** How long resolvers may cache that there is no record, in seconds: the smaller of the SOA's TTL and MINIMUM (RFC 2308 section 5). */
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

/** The delegation of the zone that contains the hostname. */
export interface Delegation {
  /** The closest zone at or above the hostname; null if it was not found. */
  zone: string | null;
  /** Whether the registrable domain exists according to the parent's servers; null if they did not say. */
  registered: boolean | null;
  /**
   * Names of the zone's servers according to the parent, and according to the zone itself; lowercase, sorted. The zone's own list is
   * requested only if the probes are made; otherwise it is empty.
   */
  parent_servers: readonly string[];
  own_servers: readonly string[];
  /** Delegated servers that gave an answer without authority, or refused to answer. */
  lame_servers: readonly string[];
}

/** Extra lookups, made only if the record is not right or a full diagnosis was requested. */
export interface Probes {
  /** The hostname with its registrable domain appended again, `careers.acme.com.acme.com`. */
  doubledHost: Lookup | null;
  /** The name of `doubledHost` with a random first label. If it resolves, the zone has a wildcard. */
  doubledWildcard: Lookup | null;
  /** TXT at the name of the proof with the registrable domain appended again, looked up if the proof is needed. */
  doubledTxt: Lookup | null;
  /** A random name below the hostname, looked up if the hostname has a record. If it exists too, a wildcard made the hostname's record. */
  belowHostname: Lookup | null;
  /** CNAME at `_acme-challenge.<hostname>`. */
  acmeChallenge: Lookup | null;
  /** The hostname without DNSSEC validation (CD bit), looked up if a resolver responded with SERVFAIL. */
  unvalidated: Lookup | null;
  /** Lookups at the hostname of the record types that must not exist next to a CNAME. */
  besideCname: readonly Lookup[];
  /** CAA lookups from the hostname, and from each CNAME target, up to the root; empty if not requested. */
  caa: readonly Lookup[];
  /** DNSSEC of the registrable domain and of each zone below it that holds the hostname; empty if it was not looked up. */
  trust: readonly TrustLink[];
}

/** The probes of a survey that made none. */
export const NO_PROBES: Probes = {
  doubledHost: null,
  doubledWildcard: null,
  doubledTxt: null,
  belowHostname: null,
  acmeChallenge: null,
  unvalidated: null,
  besideCname: [],
  caa: [],
  trust: [],
};

/** One link of a DNSSEC chain of trust: what the parent says about the keys of a zone, and the keys that the zone has. */
export interface TrustLink {
  zone: string;
  /** The zone above, which holds the DS records. */
  parent: string;
  /** The DS records of the zone, from the parent's own servers. */
  ds: Lookup;
  /** The DNSKEY records, one lookup for each of the zone's servers; empty if there is no DS record. */
  keys: readonly Lookup[];
}

/** Everything that one check looked up, as plain data. Findings are computed from it, and `domains diagnose` prints it. */
export interface DnsSurvey {
  delegation: Delegation | null;
  /** Views of the zone's own servers, without any cache; empty if they were not asked. */
  authorities: readonly NameView[];
  /** Views of the public resolvers; empty if they were not asked. The view of a spare takes the place of each view in `replaced`. */
  resolvers: readonly NameView[];
  /** Views of resolvers that block the name or refuse to respond. A verdict ignores these views. Absent if there are none. */
  replaced?: readonly NameView[];
  probes: Probes;
  /** Where requests to the hostname arrive. Absent if it was not probed: the records lead to us, nowhere, or proxies are not allowed. */
  path?: PublicPath;
}
