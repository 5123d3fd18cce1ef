import type { PlanTable } from './accounts/plan.ts';
import type { ServiceNames } from './service-name.ts';

/** What an operator sets once per deployment and every node shares. The two composition roots make it. */
export interface Settings {
  names: ServiceNames;
  /** Address of the API without `/v1`, no trailing slash: `{base_url}` of the interface document. */
  base_url: string;
  /** Base of the public documentation, no trailing slash: `{docs_url}`. */
  docs_url: string;
  /** Zone under which each app has its CNAME target, `<label>.<edge_zone>`. */
  edge_zone: string;
  /** Zone under which hosted test domains answer, `<domain id>.<sandbox_zone>`. */
  sandbox_zone: string;
  /** Addresses of the edge that apex domains point to. */
  edge_ipv4: readonly string[];
  edge_ipv6: readonly string[];
  /** What CAA records may name our certificate authorities by (RFC 8659 section 4.2). */
  caa_issuers: readonly string[];
  /** The service's own zones and hosts, which no customer's hostname, origin or webhook may use (`serviceZones`). */
  service_zones: readonly string[];
  plans: PlanTable;
  /** General rate limit of an API key. */
  rate: RequestRate;
  /** General rate limit of all keys of an app together; null in the emulator, where no app has a neighbour. */
  appRate: RequestRate | null;
  /** Events and deliveries are kept this long after their delivery ended. */
  retention_ms: number;
  /** True in the emulator: live domains run on the test timer too and never contact a CA. */
  timer_for_live: boolean;
  /** True in the emulator: nobody else could take a lease over, so that none runs out when its clock is moved. */
  single_process: boolean;
  /** True in the emulator: origins and webhooks may be loopback and plain HTTP. */
  allow_loopback: boolean;
}

/** A token bucket of `burst` tokens that refills by `per_second`. */
export interface RequestRate {
  per_second: number;
  burst: number;
}
