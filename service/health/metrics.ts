import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionError } from '../../shared/adapters/owned-server.ts';
import { CONNECTION_ERROR_KINDS, type ConnectionErrorKind } from '../../shared/core/edge/connection-error.ts';
import type { AttemptOutcome } from '../../shared/core/webhooks/delivery.ts';
import type { EdgeFailure } from '../../shared/edge/edge-failure.ts';
import type { HandshakeFailure } from '../../shared/edge/tls/handshake.ts';
import type { Delayed } from '../../shared/http/admission.ts';
import type { Refusal } from '../../shared/http/handle-route.ts';
import type { IssuanceOutcome } from '../../shared/operations/context.ts';
import type { RelayReport } from '../../shared/store/edge/edge-relay.ts';
import { createDnsMetrics, type DnsMetrics } from '../dns/dns-metrics.ts';
import { createRelayMetrics } from '../nats/relay-metrics.ts';
import { CONNECTION_ERROR_SIDES, SERVER_NAMES, type ServerName } from './connection-errors.ts';
import type { SurveyDone } from './measured-dns.ts';
import { NOT_USED, type NodeState } from './readiness.ts';

/** Metrics for Prometheus. The deployment guide lists them with their meanings. */
export interface Metrics {
  /** Returns the metrics as Prometheus text. @param routes the routes of the edge; null if the node has none. */
  text(now: NodeState, routes: RoutesKnown | null): Promise<string>;
  /** Records an API request with its operation and status. */
  request(operation: string, status: number, durationMs: number): void;
  /** Counts an API request that was refused before work on it began. */
  refused(reason: Refusal): void;
  /** Counts a request or a response that the API delayed because its client sends too many of this kind. */
  delayed(what: Delayed): void;
  /** Counts a connection to the API that was closed immediately because too many were open. */
  dropped(): void;
  /** Counts an error that ended one connection. */
  connectionError(server: ServerName, kind: ConnectionError['kind']): void;
  /** Records an attempt to deliver an event. */
  attempt(outcome: AttemptOutcome): void;
  /**
   * Counts visitors' requests by the status of the response. The status is `gone` if the visitor left before the response, or the edge
   * dropped the request.
   */
  edgeRequests(status: number | 'gone', count: number): void;
  edgeFailures(of: EdgeFailure['of'], count: number): void;
  /** Counts lines of the access log that could not be written. */
  accessLogDropped(lines: number): void;
  /** Counts TLS handshakes that failed because their certificate could not be looked up. */
  handshakeFailures(of: HandshakeFailure['of'], count: number): void;
  /** Records a DNS survey of a hostname. */
  survey(done: SurveyDone): void;
  /** Counts an attempt to obtain a certificate. */
  certificate(outcome: IssuanceOutcome): void;
  dns: DnsMetrics;
  /** Adds the metrics of a relay. @param read returns its report; null while another process is the relay. */
  relay(read: () => RelayReport | null): void;
  /** Counts an uncaught error that concerned only one connection. */
  containedError(kind: ConnectionErrorKind): void;
}

/** The routes that an edge has. */
export interface RoutesKnown {
  hostnames: number;
  /** The number of values of hostnames and apps that cannot be opened. */
  unreadable: number;
  /** The size of the replica in bytes. */
  bytes: number;
  /** Time since the edge was last up to date, in milliseconds. */
  ageMs: number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = countersOf(registry);
  beginAtZero(counted);
  const show = gaugesOf(registry);
  return {
    dns: createDnsMetrics(registry),
    relay: (read) => createRelayMetrics(registry, read),
    request: (operation, status, durationMs) =>
      counted.requests.observe({ operation, status }, durationMs / 1000),
    refused: (reason) => counted.refused.inc({ reason }),
    delayed: (what) => counted.delayed.inc({ what }),
    dropped: () => counted.dropped.inc(),
    connectionError: (server, kind) => counted.connectionErrors.inc({ server, kind }),
    attempt({ status_code, error, response_ms }) {
      counted.attempts.inc({ outcome: error ?? statusClass(status_code) });
      if (response_ms !== null) counted.attempt_seconds.observe(response_ms / 1000);
    },
    edgeRequests: (status, count) => counted.edge_requests.inc({ status }, count),
    edgeFailures: (of, count) => counted.edge_failures.inc({ of }, count),
    accessLogDropped: (lines) => counted.access_log_dropped.inc(lines),
    handshakeFailures: (of, count) => counted.handshake_failures.inc({ of }, count),
    survey({ depth, durationMs, unanswered }) {
      counted.surveys.observe({ depth }, durationMs / 1000);
      for (const resolver of unanswered) counted.unanswered.inc({ resolver });
    },
    certificate: ({ ca, outcome }) => counted.certificates.inc({ ca: ca ?? 'none', outcome }),
    containedError: (of) => counted.contained_errors.inc({ of }),
    text(now, routes) {
      show(now, routes);
      return registry.metrics();
    },
  };
}

function countersOf(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Histogram({
      name: 'nameplate_http_request_duration_seconds',
      help: 'API requests, by operation and status',
      labelNames: ['operation', 'status'],
      buckets: SECONDS,
      registers,
    }),
    refused: new Counter({
      name: 'nameplate_http_refused_total',
      help: 'API requests refused before work on them began, by reason: rate, share or busy',
      labelNames: ['reason'],
      registers,
    }),
    delayed: new Counter({
      name: 'nameplate_http_delayed_total',
      help: 'API requests delayed because there were too many of their kind: refusal, page or list',
      labelNames: ['what'],
      registers,
    }),
    dropped: new Counter({
      name: 'nameplate_http_connections_dropped_total',
      help: 'Connections to the API closed at once because too many were open',
      registers,
    }),
    connectionErrors: new Counter({
      name: 'nameplate_connection_errors_total',
      help: 'Errors that ended one connection, by server and kind: peer, the other side left or broke the protocol, or node',
      labelNames: ['server', 'kind'],
      registers,
    }),
    attempts: new Counter({
      name: 'nameplate_delivery_attempts_total',
      help: 'Attempts to deliver an event, by outcome: the class of the response status, or the error',
      labelNames: ['outcome'],
      registers,
    }),
    attempt_seconds: new Histogram({
      name: 'nameplate_delivery_duration_seconds',
      help: 'Duration of attempts to deliver an event',
      buckets: SECONDS,
      registers,
    }),
    edge_requests: new Counter({
      name: 'nameplate_edge_requests_total',
      help: 'Visitor requests, by status; gone if the visitor left before the response, or the edge dropped the request',
      labelNames: ['status'],
      registers,
    }),
    edge_failures: new Counter({
      name: 'nameplate_edge_failures_total',
      help: 'Visitor requests that failed because a challenge, route or origin was not available',
      labelNames: ['of'],
      registers,
    }),
    access_log_dropped: new Counter({
      name: 'nameplate_edge_access_log_dropped_total',
      help: 'Lines that the access log left out, because its file or server was too slow',
      registers,
    }),
    handshake_failures: new Counter({
      name: 'nameplate_edge_handshake_failures_total',
      help: 'TLS handshakes that failed because a certificate or challenge could not be read',
      labelNames: ['of'],
      registers,
    }),
    surveys: new Histogram({
      name: 'nameplate_dns_survey_duration_seconds',
      help: 'DNS surveys of a hostname, by depth: first, zone, again or all',
      labelNames: ['depth'],
      buckets: SECONDS,
      registers,
    }),
    unanswered: new Counter({
      name: 'nameplate_dns_unanswered_total',
      help: 'Lookups that a resolver did not answer, by resolver',
      labelNames: ['resolver'],
      registers,
    }),
    certificates: new Counter({
      name: 'nameplate_certificate_attempts_total',
      help: 'Attempts to obtain a certificate, by authority and outcome: issued, or the reason',
      labelNames: ['ca', 'outcome'],
      registers,
    }),
    contained_errors: createContainedErrors(registry),
  };
}

/** Creates the counter of uncaught errors that concerned only one connection. The count of each kind starts at zero. */
export function createContainedErrors(registry: Registry): Counter<'of'> {
  const counter = new Counter({
    name: 'nameplate_contained_errors_total',
    help: 'Errors of one connection that no code handled, by the part of Node that they come from',
    labelNames: ['of'],
    registers: [registry],
  });
  for (const of of CONNECTION_ERROR_KINDS) counter.inc({ of }, 0);
  return counter;
}

/** Starts each series at zero, because `increase()` in Prometheus ignores the first value of a series. */
function beginAtZero(counted: ReturnType<typeof countersOf>): void {
  const { attempts, edge_failures, handshake_failures, connectionErrors, refused, delayed } = counted;
  for (const server of SERVER_NAMES) {
    for (const kind of CONNECTION_ERROR_SIDES) connectionErrors.inc({ server, kind }, 0);
  }
  for (const what of DELAYED) delayed.inc({ what }, 0);
  for (const reason of REFUSALS) refused.inc({ reason }, 0);
  for (const outcome of ['2xx', '3xx', '4xx', '5xx']) attempts.inc({ outcome }, 0);
  for (const of of EDGE_FAILURES) edge_failures.inc({ of }, 0);
  for (const of of HANDSHAKE_FAILURES) handshake_failures.inc({ of }, 0);
}

const DELAYED: readonly Delayed[] = ['refusal', 'page', 'list'];
const REFUSALS: readonly Refusal[] = ['rate', 'share', 'busy'];
const EDGE_FAILURES: readonly EdgeFailure['of'][] = ['challenge', 'route', 'origin'];
const HANDSHAKE_FAILURES: readonly HandshakeFailure['of'][] = ['certificate', 'challenge'];

/** Creates gauges, and returns a function that sets them. Leaves out values that could not be read from the database. */
function gaugesOf(registry: Registry): (now: NodeState, routes: RoutesKnown | null) => void {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers: [registry] });
    return (value: number | undefined) => (value === undefined ? made.remove() : made.set(value));
  };
  const ready = gauge('nameplate_ready', '1 if /readyz responds with 200');
  const databaseUp = gauge('nameplate_database_up', '1 if the database responds');
  const resolversUp = gauge('nameplate_dns_resolvers_up', '0 while no DNS resolver answers');
  const checkOk = new Gauge({
    name: 'nameplate_check_ok',
    help: '0 while the check of the clock, commits, the encryption keys, or database writes fails: /readyz says why',
    labelNames: ['check'],
    registers: [registry],
  });
  const jobsDue = gauge('nameplate_jobs_due', 'Jobs that are due and not claimed by a worker');
  const jobsLate = gauge('nameplate_jobs_late_seconds', 'Delay of the job that is due the longest');
  const lanesDue = gauge(
    'nameplate_lanes_due',
    'Domains whose next event is due and not claimed by a worker',
  );
  const lanesLate = gauge(
    'nameplate_lanes_late_seconds',
    'Delay of the domain whose event is due the longest',
  );
  const eventsPending = gauge('nameplate_events_pending', 'Events pending delivery');
  const certificateLeft = gauge(
    'nameplate_certificate_soonest_end_seconds',
    'Seconds until the first certificate in use expires',
  );
  const hostnames = gauge('nameplate_edge_hostnames', 'Hostnames whose domain has a certificate or is held');
  const unreadable = gauge(
    'nameplate_edge_routes_unreadable',
    'Values of hostnames and apps that get 503 responses because they cannot be opened',
  );
  const replicaBytes = gauge(
    'nameplate_edge_replica_bytes',
    'Size of the replica from which the edge serves',
  );
  const routesAge = gauge(
    'nameplate_edge_routes_age_seconds',
    'Time since the edge was last up to date with all routes',
  );
  return ({ ready: isReady, database, resolvers, checks, backlog, certificate_left_s }, routes) => {
    ready(isReady ? 1 : 0);
    databaseUp(database === NOT_USED ? undefined : database === 'ok' ? 1 : 0);
    resolversUp(resolvers === NOT_USED ? undefined : resolvers === 'ok' ? 1 : 0);
    for (const [check, state] of Object.entries(checks)) checkOk.set({ check }, state === 'ok' ? 1 : 0);
    jobsDue(backlog?.jobs_due);
    jobsLate(backlog === null ? undefined : backlog.jobs_late_ms / 1000);
    lanesDue(backlog?.lanes_due);
    lanesLate(backlog === null ? undefined : backlog.lanes_late_ms / 1000);
    eventsPending(backlog?.events_pending);
    certificateLeft(certificate_left_s ?? undefined);
    hostnames(routes?.hostnames);
    unreadable(routes?.unreadable);
    replicaBytes(routes?.bytes);
    routesAge(routes === null ? undefined : routes.ageMs / 1000);
  };
}

function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}
