import { Gauge, type Registry } from 'prom-client';
import type { RelayReport } from '../../shared/store/edge/edge-relay.ts';

/** Adds the metrics of a relay. @param read returns its report; null while another process is the relay. */
export function createRelayMetrics(registry: Registry, read: () => RelayReport | null): void {
  const gauge = (name: string, help: string, measure: (report: RelayReport | null) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(measure(read()));
      },
    });
  gauge('nameplate_relay_active', '1 if this process is the relay', (report) => (report === null ? 0 : 1));
  gauge('nameplate_relay_pending', 'Changes that the bucket in NATS lacks', (report) => report?.pending ?? 0);
  gauge(
    'nameplate_relay_complete',
    '0 while this process is the relay and the bucket in NATS is not complete',
    (report) => (report !== null && report.generation === null ? 0 : 1),
  );
  gauge(
    'nameplate_relay_differences',
    'Values of the bucket in NATS that differed from the table since this process became the relay',
    (report) => report?.differences ?? 0,
  );
}
