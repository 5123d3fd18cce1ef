import { HOUR_MS, MINUTE_MS } from '../instant.ts';
import type { JobKind } from './job.ts';

/** Kinds of work that wait for the same thing. Each class has slots of its own: where one of them waits, the others go on. */
export interface JobClass {
  /** Jobs in flight on a node. */
  in_flight_max: number;
  /** Of one app while nothing else of the class is in flight; it gets the same share of what the others leave. */
  in_flight_per_app_max: number;
  /** A job that failed is tried again after a minute, then two, four …, and this at the most. */
  retry_ms_max: number;
}

export type JobClassName = 'ours' | 'dns' | 'origins' | 'certificates' | 'mail';

export const JOB_CLASSES: Readonly<Record<JobClassName, JobClass>> = {
  /** Waits for our database alone, whose connections are few. */
  ours: { in_flight_max: 20, in_flight_per_app_max: 10, retry_ms_max: MINUTE_MS },
  /** Waits for a customer's name servers, which may be silent, and does nothing meanwhile. */
  dns: { in_flight_max: 200, in_flight_per_app_max: 20, retry_ms_max: MINUTE_MS },
  /** Waits for a company's own server; an app has one. */
  origins: { in_flight_max: 50, in_flight_per_app_max: 5, retry_ms_max: MINUTE_MS },
  /** Waits for certificate authorities. */
  certificates: { in_flight_max: 50, in_flight_per_app_max: 10, retry_ms_max: MINUTE_MS },
  /** Waits for the operator's mail server, each over a connection of its own: few servers take many of one client. */
  mail: { in_flight_max: 4, in_flight_per_app_max: 2, retry_ms_max: 4 * HOUR_MS },
};

export const CLASS_OF: Readonly<Record<JobKind, JobClassName>> = {
  advance: 'ours',
  flap: 'ours',
  expire: 'ours',
  settle_hold: 'ours',
  prune: 'ours',
  check_dns: 'dns',
  check_whitelabel: 'dns',
  probe_origin: 'origins',
  issue: 'certificates',
  retry: 'certificates',
  renew: 'certificates',
  send_mail: 'mail',
};

/** How long after its start number `attempts` failed a job is tried again. */
export function retryAfterMs(kind: JobKind, attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** (attempts - 1), JOB_CLASSES[CLASS_OF[kind]].retry_ms_max);
}
