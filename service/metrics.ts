import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AttemptOutcome } from '../shared/core/delivery.ts';
import type { EdgeFailure, SeenRequest } from '../shared/edge/edge-handler.ts';
import type { Readiness } from './readiness.ts';

/** What Prometheus reads. The list with its meanings stands in the deployment guide. */
export interface Metrics {
  content_type: string;
  text(now: Readiness): Promise<string>;
  /** A request of the API: its operation, and its status. */
  request(operation: string, status: number, duration_ms: number): void;
  /** A request that was refused because too many were in flight. */
  refused(): void;
  /** An attempt to deliver an event. */
  attempt(outcome: AttemptOutcome): void;
  /** A request at the edge. */
  edge_request(seen: SeenRequest): void;
  edge_failure(failure: EdgeFailure): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counted = countersOf(registry);
  const show = gaugesOf(registry);
  return {
    content_type: registry.contentType,
    request: (operation, status, duration_ms) =>
      counted.requests.observe({ operation, status }, duration_ms / 1000),
    refused: () => counted.refused.inc(),
    attempt({ status_code, error, response_ms }) {
      counted.attempts.inc({ outcome: error ?? statusClass(status_code) });
      if (response_ms !== null) counted.attempt_seconds.observe(response_ms / 1000);
    },
    edge_request: ({ status }) => counted.edge_requests.inc({ status: status ?? 'gone' }),
    edge_failure: ({ of }) => counted.edge_failures.inc({ of }),
    text(now) {
      show(now);
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
      help: 'Requests answered 503 because too many were in flight',
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
  };
}

/** Sets what is read rather than counted; what the database could not be asked for is left out. */
function gaugesOf(registry: Registry): (now: Readiness) => void {
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers: [registry] });
    return (value: number | undefined) => (value === undefined ? made.remove() : made.set(value));
  };
  const ready = gauge('nameplate_ready', '1 where /readyz answers 200');
  const database_up = gauge('nameplate_database_up', '1 where the database answers');
  const jobs_due = gauge('nameplate_jobs_due', 'Jobs that are due and not taken');
  const jobs_late = gauge('nameplate_jobs_late_seconds', 'How late the latest job is');
  const lanes_due = gauge('nameplate_lanes_due', 'Domains whose next event is due and not taken');
  const lanes_late = gauge('nameplate_lanes_late_seconds', 'How late the latest of them is');
  const events_pending = gauge('nameplate_events_pending', 'Events that wait for delivery');
  return ({ ready: is_ready, database, backlog }) => {
    ready(is_ready ? 1 : 0);
    database_up(database === 'ok' ? 1 : 0);
    jobs_due(backlog?.jobs_due);
    jobs_late(backlog === null ? undefined : backlog.jobs_late_ms / 1000);
    lanes_due(backlog?.lanes_due);
    lanes_late(backlog === null ? undefined : backlog.lanes_late_ms / 1000);
    events_pending(backlog?.events_pending);
  };
}

function statusClass(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}
