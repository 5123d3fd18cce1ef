import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionError } from '../../shared/adapters/owned-server.ts';
import { CONNECTION_ERROR_KINDS, type ConnectionErrorKind } from '../../shared/core/edge/connection-error.ts';
import type { AttemptOutcome } from '../../shared/core/webhooks/delivery.ts';
import type { SeenRequest } from '../../shared/edge/forwarding/seen-request.ts';
import type { EdgeFailure } from '../../shared/edge/request-dispatcher.ts';
import type { HandshakeFailure } from '../../shared/edge/tls/handshake.ts';
import type { Delayed } from '../../shared/http/admission.ts';
import type { Refusal } from '../../shared/http/handle-route.ts';
import type { IssuanceOutcome } from '../../shared/operations/context.ts';
import { CONNECTION_ERROR_SIDES, SERVER_NAMES, type ServerName } from './connection-errors.ts';
import type { SurveyDone } from './measured-dns.ts';
import type { NodeState } from './readiness.ts';

/** What Prometheus reads. The list with its meanings stands in the deployment guide. */
export interface Metrics {
  /** @param routes what the edge knows; null where there is none. */
  text(now: NodeState, routes: RoutesKnown | null): Promise<string>;
  /** A request of the API: its operation, and its status. */
  request(operation: string, status: number, duration_ms: number): void;
  /** Counts a request that was refused before work on it began. */
  refused(reason: Refusal): void;
  /** Counts a request or response that the API delayed because its client sends too many of its kind. */
  delayed(what: Delayed): void;
  /** A connection to the API that was closed at once because too many were open. */
  dropped(): void;
  /** Counts an error that ended one connection. */
  connectionError(server: ServerName, kind: ConnectionError['kind']): void;
  /** An attempt to deliver an event. */
  attempt(outcome: AttemptOutcome): void;
  /** A request at the edge. */
  edge_request(seen: SeenRequest): void;
  edge_failure(failure: EdgeFailure): void;
  /** A handshake without the certificate that there may be. */
  handshake_failure(failure: HandshakeFailure): void;
  /** A look at a hostname's DNS. */
  survey(done: SurveyDone): void;
  /** An attempt to obtain a certificate. */
  certificate(outcome: IssuanceOutcome): void;
  /** Counts an error of one connection that no code handled. */
  contained_error(kind: ConnectionErrorKind): void;
}

/** What an edge remembers. */
export interface RoutesKnown {
  hostnames: number;
  /** Of these. */
  unreadable: number;
  /** Since all changes were known. */
  age_ms: number;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = countersOf(registry);
  beginAtZero(counted);
  const show = gaugesOf(registry);
  return {
    request: (operation, status, duration_ms) =>
      counted.requests.observe({ operation, status }, duration_ms / 1000),
    refused: (reason) => counted.refused.inc({ reason }),
    delayed: (what) => counted.delayed.inc({ what }),
    dropped: () => counted.dropped.inc(),
    connectionError: (server, kind) => counted.connectionErrors.inc({ server, kind }),
    attempt({ status_code, error, response_ms }) {
      counted.attempts.inc({ outcome: error ?? statusClass(status_code) });
      if (response_ms !== null) counted.attempt_seconds.observe(response_ms / 1000);
    },
    edge_request: ({ status }) => counted.edge_requests.inc({ status: status ?? 'gone' }),
    edge_failure: ({ of }) => counted.edge_failures.inc({ of }),
    handshake_failure: ({ of }) => counted.handshake_failures.inc({ of }),
    survey({ depth, duration_ms, untold }) {
      counted.surveys.observe({ depth }, duration_ms / 1000);
      for (const resolver of untold) counted.untold.inc({ resolver });
    },
    certificate: ({ ca, outcome }) => counted.certificates.inc({ ca: ca ?? 'none', outcome }),
    contained_error: (of) => counted.contained_errors.inc({ of }),
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
      help: 'Requests of the API by operation and status',
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
      help: 'Attempts to deliver an event by outcome: the class of the answer, or the error',
      labelNames: ['outcome'],
      registers,
    }),
    attempt_seconds: new Histogram({
      name: 'nameplate_delivery_duration_seconds',
      help: 'How long attempts to deliver took',
      buckets: SECONDS,
      registers,
    }),
    edge_requests: new Counter({
      name: 'nameplate_edge_requests_total',
      help: 'Requests of visitors by status; gone where the visitor left before the answer',
      labelNames: ['status'],
      registers,
    }),
    edge_failures: new Counter({
      name: 'nameplate_edge_failures_total',
      help: 'Requests of visitors that failed for want of a route or an origin',
      labelNames: ['of'],
      registers,
    }),
    handshake_failures: new Counter({
      name: 'nameplate_edge_handshake_failures_total',
      help: 'Handshakes of visitors that failed for want of the database',
      labelNames: ['of'],
      registers,
    }),
    surveys: new Histogram({
      name: 'nameplate_dns_survey_duration_seconds',
      help: 'Looks at the DNS of a hostname by depth: first, again or all',
      labelNames: ['depth'],
      buckets: SECONDS,
      registers,
    }),
    untold: new Counter({
      name: 'nameplate_dns_untold_total',
      help: 'Look-ups that a resolver could not answer, by resolver',
      labelNames: ['resolver'],
      registers,
    }),
    certificates: new Counter({
      name: 'nameplate_certificate_attempts_total',
      help: 'Attempts to obtain a certificate by authority and outcome: issued, or the reason',
      labelNames: ['ca', 'outcome'],
      registers,
    }),
    contained_errors: createContainedErrors(registry),
  };
}

/** Counts errors of one connection that no code handled. The count of each kind starts at zero. */
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

/** What can happen is there before it does: `increase()` does not see a series begin. */
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

/** Sets what is read rather than counted; what the database could not be asked for is left out. */
function gaugesOf(registry: Registry): (now: NodeState, routes: RoutesKnown | null) => void {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers: [registry] });
    return (value: number | undefined) => (value === undefined ? made.remove() : made.set(value));
  };
  const ready = gauge('nameplate_ready', '1 where /readyz answers 200');
  const database_up = gauge('nameplate_database_up', '1 where the database answers');
  const resolvers_up = gauge('nameplate_dns_resolvers_up', '0 while none of the DNS resolvers answers');
  const check_ok = new Gauge({
    name: 'nameplate_check_ok',
    help: '0 while the check of the clock, the encryption keys, or database writes fails: /readyz says why',
    labelNames: ['check'],
    registers: [registry],
  });
  const jobs_due = gauge('nameplate_jobs_due', 'Jobs that are due and not taken');
  const jobs_late = gauge('nameplate_jobs_late_seconds', 'How late the latest job is');
  const lanes_due = gauge('nameplate_lanes_due', 'Domains whose next event is due and not taken');
  const lanes_late = gauge('nameplate_lanes_late_seconds', 'How late the latest of them is');
  const events_pending = gauge('nameplate_events_pending', 'Events that wait for delivery');
  const certificate_left = gauge(
    'nameplate_certificate_soonest_end_seconds',
    'Seconds until the first of the served certificates ends',
  );
  const hostnames = gauge('nameplate_edge_hostnames', 'Hostnames that the edge knows a domain of');
  const unreadable = gauge(
    'nameplate_edge_routes_unreadable',
    'Hostnames that are answered 503 because their route cannot be read',
  );
  const routes_age = gauge('nameplate_edge_routes_age_seconds', 'How long ago the edge knew all routes');
  return ({ ready: is_ready, database, resolvers, checks, backlog, certificate_left_s }, routes) => {
    ready(is_ready ? 1 : 0);
    database_up(database === 'ok' ? 1 : 0);
    resolvers_up(resolvers === 'ok' ? 1 : 0);
    for (const [check, state] of Object.entries(checks)) check_ok.set({ check }, state === 'ok' ? 1 : 0);
    jobs_due(backlog?.jobs_due);
    jobs_late(backlog === null ? undefined : backlog.jobs_late_ms / 1000);
    lanes_due(backlog?.lanes_due);
    lanes_late(backlog === null ? undefined : backlog.lanes_late_ms / 1000);
    events_pending(backlog?.events_pending);
    certificate_left(certificate_left_s ?? undefined);
    hostnames(routes?.hostnames);
    unreadable(routes?.unreadable);
    routes_age(routes === null ? undefined : routes.age_ms / 1000);
  };
}

function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}
