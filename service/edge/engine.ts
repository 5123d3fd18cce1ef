import type { Guard } from '../../shared/adapters/guarded-connect.ts';
import type { RouteSource } from '../../shared/core/edge/edge-route.ts';
import type { TrafficCounter } from '../../shared/core/traffic/traffic-counter.ts';
import type { EdgeLimits } from '../../shared/edge/edge-limits.ts';
import type { ServeHost } from '../../shared/edge/own-pages.ts';
import type { PathReceipts } from '../../shared/edge/routing/path-receipts.ts';
import type { Context } from '../../shared/operations/context.ts';
import type { CertificateSource, ChallengeSource } from '../../shared/ports/certificates.ts';
import type { ServiceConfig } from '../config.ts';
import type { countConnectionErrors } from '../health/connection-errors.ts';
import type { Metrics } from '../health/metrics.ts';
import type { ListenAddress } from '../settings/setting-kinds.ts';

/** If an edge's routes are older than this, load balancers should send it no visitors, because it may still serve deleted domains. */
export const LATE_MS = 5_000;

/** Timeout for connecting to an origin. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** The part of an edge that handles visitors' connections: our own server, or nginx (`decisions/0057`). */
export interface EdgeEngine {
  state: EdgeEngineState;
  addresses: { edge: ListenAddress; edgeHttp: ListenAddress };
  /** Called when the value that all hostnames of an app share has changed. Absent if the engine looks up the route of each request. */
  appChanged?(appId: string): void;
  /** Called when a hostname's route or certificate may have changed. @param hostname null if all may have changed. */
  changed(hostname: string | null): void;
  /**
   * Returns the milliseconds since the engine was last up to date with all changes that were sent to it. Absent if the engine applies each
   * change immediately.
   */
  ageMs?(): number;
  /** Length of a session ticket key in bytes. */
  ticketKeyBytes: number;
  setTicketKeys(keys: Buffer): void;
  /** Stops the engine. Running requests have `graceMs` to finish. @param leavesNginx true to leave nginx to the node's next process. */
  close(graceMs: number, leavesNginx?: boolean): Promise<void>;
}

/** The properties of an engine that `service status` shows. */
export interface EdgeEngineState {
  name: 'node' | 'nginx';
  /** The version of nginx; null for the built-in engine. */
  version: string | null;
  /** Features that this engine lacks but the other engine or newer versions of nginx have. */
  lacks: readonly string[];
}

/** Returns the limits of the edge that the operator has set. */
export function limitsOf({ originTimeoutMs }: ServiceConfig): Partial<EdgeLimits> {
  return { origin_headers_timeout_ms: originTimeoutMs, origin_idle_ms: originTimeoutMs };
}

/** The part of the context that an edge uses. It contains no database and no encryption key. */
export type EdgeContext = Pick<Context, 'settings' | 'clock' | 'wallClock' | 'random' | 'ids' | 'log'>;

/** The dependencies of every engine. */
export interface EngineParts {
  /** The clocks, ids and settings of the process. */
  context: EdgeContext;
  config: ServiceConfig;
  metrics: Metrics;
  connectionErrors: ReturnType<typeof countConnectionErrors>;
  findRoute: RouteSource;
  /** Returns whether load balancers should send visitors to this node. */
  isReady: () => boolean;
  certificates: CertificateSource;
  challenges: ChallengeSource;
  pathReceipts: PathReceipts;
  guard: Guard;
  /** Counts the traffic of domains. */
  traffic: TrafficCounter;
  /** Responds at the white-label hosts of apps. */
  serveHost: ServeHost;
  /** Address of the sandbox origin. */
  sandboxOrigin: string;
  /** Returns the session ticket keys for the current day (UTC). */
  ticketKeys: (bytes: number) => Buffer;
  /** Logs a warning that visitors can cause, up to a maximum number of lines. */
  warn(about: string, fields: object, message: string): void;
}
