import type { PlanTable } from './accounts/plan.ts';
import type { ServiceNames } from './service-name.ts';

/** Settings that an operator chooses once for a deployment, and that all nodes share. The two composition roots create them. */
export interface Settings {
  names: ServiceNames;
  /** URL of the API without `/v1` or a trailing slash: `{base_url}` of the guides. */
  baseUrl: string;
  /** URL of an app's white-label host at the edge, with `{host}` in place of the host. */
  hostUrl: string;
  /** URL of the public documentation without a trailing slash: `{docs_url}`. */
  docsUrl: string;
  /** Zone that contains each app's CNAME target, `<label>.<edgeZone>`. */
  edgeZone: string;
  /**
   * Zone within the edge zone that contains the names of delegated challenges, `<label>.<challengeZone>`. Null if the operator has not set
   * up the role `dns`, so that no name server of ours answers for this zone.
   */
  challengeZone: string | null;
  /** Zone that contains the hostnames of hosted test domains, `<domain id>.<sandboxZone>`. */
  sandboxZone: string;
  /** Addresses of the edge that apex domains point to. */
  edgeIpv4: readonly string[];
  edgeIpv6: readonly string[];
  /** The names that CAA records use for our certificate authorities (RFC 8659 section 4.2). */
  caaIssuers: readonly string[];
  /** The service's own zones and hosts, which no customer's hostname, origin or webhook may use (`serviceZones`). */
  serviceZones: readonly string[];
  /** True if the certificates of a deleted domain are revoked at their authority. */
  revokesOnDelete: boolean;
  plans: PlanTable;
  /** `open` lets anyone with a mail address sign up at the dashboard; `invite` lets only invited people sign in. */
  signUp: 'open' | 'invite';
  /** Addresses of operators, who may read every account in the dashboard. */
  operators: readonly string[];
  /** True if a node without a mail server prints sign-in links in its log. Only a trial with an embedded database does this. */
  printsSignInLinks: boolean;
  /** Rate limit of each API key for all its requests. */
  rate: RequestRate;
  /** Rate limit of all keys of an app together. Null in the emulator, where apps do not share capacity. */
  appRate: RequestRate | null;
  /** How long events and deliveries are kept after the delivery ended. */
  retentionMs: number;
  /** How long daily traffic counts are stored. Hourly counts are stored for at most `traffic_hours_kept_ms`. */
  trafficRetentionMs: number;
  /** True in the emulator: live domains run on the test timer too and never contact a CA. */
  timerForLive: boolean;
  /** True in the emulator. Leases then never end, even if the clock is moved, because no other process could take over the work. */
  singleProcess: boolean;
  /** True in the emulator: origins and webhooks may use loopback addresses and plain HTTP. */
  allowLoopback: boolean;
}

/** A token bucket of `burst` tokens that refills by `perSecond`. */
export interface RequestRate {
  perSecond: number;
  burst: number;
}
