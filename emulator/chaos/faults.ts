import type { EventType } from '../../shared/core/webhooks/event.ts';

/**
 * The faults to inject into deliveries and API responses. Shares are numbers from 0 to 1. The seed decides which attempts get which fault,
 * so that a run can be repeated.
 */
export interface Chaos {
  /** Share of attempts that fail as `connection_failed` before anything is sent. */
  fail: number;
  /** Share of attempts that reach the receiver, but are recorded as timed out. */
  timeout: number;
  /** Share of attempts that are sent to the receiver twice. */
  duplicate: number;
  /** Share of attempts that wait a short time until an attempt for another domain has overtaken them. */
  reorder: number;
  /** Share of attempts whose signature is wrong. */
  bad_signature: number;
  /** Share of attempts with a valid signature that is ten minutes old, as in a replay. */
  old_signature: number;
  /** Delay in real time before each attempt, in milliseconds. */
  delay_ms: number;
  /** Offset of the timestamp `t` in every signature, in milliseconds. */
  skew_ms: number;
  /** Event types that the faults apply to; null for all. */
  types: readonly EventType[] | null;
  /** Domains that the faults apply to, by hostname or id; null for all. */
  domains: readonly string[] | null;
  /**
   * Faults for API clients: the shares of requests that are rate limited, fail, or get a late response, and the delay of late responses.
   */
  api: { rate_limited: number; internal_error: number; slow: number; delay_ms: number };
  seed: number;
}

export const NO_CHAOS: Chaos = {
  fail: 0,
  timeout: 0,
  duplicate: 0,
  reorder: 0,
  bad_signature: 0,
  old_signature: 0,
  delay_ms: 0,
  skew_ms: 0,
  types: null,
  domains: null,
  api: { rate_limited: 0, internal_error: 0, slow: 0, delay_ms: 1000 },
  seed: 1,
};

/** The `hostile` preset: every fault that a receiver must handle. The shares are so low that retries deliver every event in the end. */
export const HOSTILE: Chaos = {
  ...NO_CHAOS,
  fail: 0.15,
  timeout: 0.1,
  duplicate: 0.25,
  reorder: 0.3,
  bad_signature: 0.1,
  old_signature: 0.1,
};
