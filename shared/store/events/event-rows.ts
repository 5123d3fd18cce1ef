import type { Mode, Status } from '../../core/domains/status.ts';
import type { Flag } from '../tables.ts';

export interface EventRow {
  id: string;
  domain_id: string;
  app_id: string;
  mode: Mode;
  /** The event's position in the order of delivery within its domain: 1, 2, 3 … */
  seq: number;
  type: string;
  hostname: string;
  previous_status: Status | null;
  status: Status | null;
  created_at: number;
  /** The exact request body, which every attempt sends unchanged. */
  body: string;
  webhook_epoch: number;
  delivery_status: 'pending' | 'delivered' | 'failed' | 'none';
  /** Number of delivery rows, including redeliveries. */
  attempts: number;
  /** Number of automatic attempts, which determines the next delay of the retry schedule. */
  tries: number;
  first_attempt_at: number | null;
  last_status_code: number | null;
  last_error: string | null;
  last_attempt_at: number | null;
  next_attempt_at: number | null;
}

export interface DeliveryRow {
  id: string;
  event_id: string;
  app_id: string;
  attempt: number;
  automatic: Flag;
  /** 0 while the attempt runs, 1 once its outcome is recorded. */
  finished: Flag;
  status_code: number | null;
  response_ms: number | null;
  error: string | null;
  delivered_at: number | null;
  next_attempt_at: number | null;
  created_at: number;
  /** Some of the response's headers, as JSON. */
  response_headers: string | null;
  response_body: string | null;
}

/** The event queue of one domain. */
export interface LaneRow {
  domain_id: string;
  app_id: string;
  due_at: number | null;
  lease_id: string | null;
}
