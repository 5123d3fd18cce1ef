import type { Flag } from '../tables.ts';

/** Our account at a certificate authority. */
export interface AcmeAccountRow {
  directory_url: string;
  /** Null until the authority has confirmed it. */
  account_url: string | null;
  /** Encrypted, with the URL of the directory as associated data. */
  private_key: string;
  created_at: number;
}

/** A certificate. The edge serves the newest certificate of each domain. */
export interface CertificateRow {
  id: string;
  domain_id: string;
  /** The operator's name for the certificate authority. */
  ca: string;
  names: string;
  chain: string;
  /** Encrypted with the data key; the domain and the serial number are associated data. */
  private_key: string;
  /** Encrypted, with the domain and the serial number as associated data. */
  data_key: string;
  serial: string;
  issuer: string;
  ari_id: string | null;
  not_before: number;
  not_after: number;
  renews_at: number;
  window_start: number | null;
  window_end: number | null;
  created_at: number;
}

/** An entry of a domain's history: a certificate that the edge serves or has served. */
export interface CertificateHistoryRow {
  domain_id: string;
  id: string;
  issuer: string;
  /** Null for the certificate of a domain on the test timer. */
  serial: string | null;
  names: string;
  not_before: number;
  not_after: number;
  served_from: number;
}

/** A certificate of a deleted domain that is to be revoked. Its id is the same as in the table `certificates`. */
export interface RevocationRow {
  id: string;
  ca: string;
  chain: string;
  not_after: number;
}

export interface CertificateOrderRow {
  domain_id: string;
  purpose: string;
  failures: number;
  without_www: Flag;
  tried: string;
  problem: string | null;
  unchecked_since: number | null;
  unshown_since: number | null;
  ca: string | null;
  names: string;
  methods: string;
  replaces: string | null;
  order_url: string | null;
  answered_times: number;
  answer_again_at: number | null;
  /** Encrypted, with the domain as associated data. */
  private_key: string | null;
  certificate_id: string | null;
  failing_since: number | null;
  progressed_at: number;
}

/** The response to a challenge of a certificate authority. */
export interface ChallengeRow {
  hostname: string;
  token: string;
  domain_id: string;
  method: string;
  key_authorization: string;
}

/** A limit of a certificate authority. It has no effect once its time has passed. */
export interface CaLimitRow {
  name: string;
  passes_at: number;
}
