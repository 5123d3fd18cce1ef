import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Context } from '../shared/operations/context.ts';
import { readBacklog } from '../shared/store/backlog.ts';

/** What Prometheus reads. The list with its meanings stands in the deployment guide. */
export interface Metrics {
  content_type: string;
  text(): Promise<string>;
  /** A request of the API: its operation (or `other`), and its status. */
  request(operation: string, status: number, duration_ms: number): void;
  /** A request that was refused because too many were in flight. */
  refused(): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createMetrics(context: Context): Metrics {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'nameplate_http_request_duration_seconds',
    help: 'Requests of the API by operation and status',
    labelNames: ['operation', 'status'],
    buckets: SECONDS,
    registers,
  });
  const refused = new Counter({
    name: 'nameplate_http_refused_total',
    help: 'Requests answered 503 because too many were in flight',
    registers,
  });
  const backlog = {
    jobs_due: new Gauge({ name: 'nameplate_jobs_due', help: 'Jobs that are due and not taken', registers }),
    jobs_late: new Gauge({
      name: 'nameplate_jobs_late_seconds',
      help: 'How late the latest job is',
      registers,
    }),
    lanes_due: new Gauge({
      name: 'nameplate_lanes_due',
      help: 'Domains whose next event is due and not taken',
      registers,
    }),
    lanes_late: new Gauge({
      name: 'nameplate_lanes_late_seconds',
      help: 'How late the latest of them is',
      registers,
    }),
    events_pending: new Gauge({
      name: 'nameplate_events_pending',
      help: 'Events that wait for delivery',
      registers,
    }),
  };
  return {
    content_type: registry.contentType,
    request: (operation, status, duration_ms) => requests.observe({ operation, status }, duration_ms / 1000),
    refused: () => refused.inc(),
    async text() {
      const now = await readBacklog(context.store, context.clock.now());
      backlog.jobs_due.set(now.jobs_due);
      backlog.jobs_late.set(now.jobs_late_ms / 1000);
      backlog.lanes_due.set(now.lanes_due);
      backlog.lanes_late.set(now.lanes_late_ms / 1000);
      backlog.events_pending.set(now.events_pending);
      return registry.metrics();
    },
  };
}
