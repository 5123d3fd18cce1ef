import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/system.ts';

/** Largest difference that the clock applies at once. To go back that far, the clock stands still instead. */
const SMALL_MS = 5 * SECOND_MS;
/** Largest difference between the machine's time and the database's time at which they confirm each other. */
const AGREED_MS = 30 * SECOND_MS;
/** Time for which an unconfirmed step must persist before the clock follows it. */
const PERSISTED_MS = 10 * MINUTE_MS;

/** Result of a measurement. `by_ms` is the size of the step in milliseconds, negative for a step back. */
export type Measured = { kind: 'followed' } | { kind: 'doubted' | 'stepped'; byMs: number };

/**
 * Follows another clock that may jump (`decisions/0023`). It applies small differences at once. It applies a larger step if this machine's
 * time of day confirms it, or once the step has persisted for 10 minutes. Until then it keeps its own pace.
 */
export class ClockFollower implements Clock {
  readonly #machine: Clock;
  readonly #wall: Clock;
  #offset_ms: number;
  #reported: Instant = Number.NEGATIVE_INFINITY;
  #doubt: { offsetMs: number; since: number } | null = null;

  /**
   * @param machine a monotonic clock.
   * @param wall the time of day of this machine.
   * @param offsetMs the first measured offset: the followed clock's time minus the monotonic time.
   */
  constructor(machine: Clock, wall: Clock, offsetMs: number) {
    this.#machine = machine;
    this.#wall = wall;
    this.#offset_ms = offsetMs;
  }

  now(): Instant {
    // After a small step back, the clock waits: the time it returns never decreases.
    this.#reported = Math.max(this.#reported, this.#machine.now() + this.#offset_ms);
    return this.#reported;
  }

  /** Takes a measured offset, and applies it or reports it as doubted. */
  measured(offsetMs: number): Measured {
    const byMs = offsetMs - this.#offset_ms;
    if (Math.abs(byMs) <= SMALL_MS) {
      this.#doubt = null;
      this.#offset_ms = offsetMs;
      return { kind: 'followed' };
    }
    if (!this.#isConfirmed(offsetMs) && !this.#hasPersisted(offsetMs)) return { kind: 'doubted', byMs };
    this.#doubt = null;
    this.#offset_ms = offsetMs;
    this.#reported = this.#machine.now() + offsetMs;
    return { kind: 'stepped', byMs };
  }

  /** Returns the problem with the database's time, or null if there is none. */
  problem(): string | null {
    if (this.#doubt !== null) {
      const apart = apartText(this.#doubt.offsetMs - this.#offset_ms);
      return `the database's clock jumped to ${apart} this node's time; the node keeps its own time`;
    }
    const byMs = this.now() - this.#wall.now();
    return Math.abs(byMs) <= AGREED_MS
      ? null
      : `the database's clock is ${apartText(byMs)} this machine's clock; one of them is wrong`;
  }

  #isConfirmed(offsetMs: number): boolean {
    return Math.abs(this.#machine.now() + offsetMs - this.#wall.now()) <= AGREED_MS;
  }

  /**
   * Returns whether the same offset has been measured for 10 minutes. A clock that stands still or runs at another pace gives a new offset
   * each time, so it never persists.
   */
  #hasPersisted(offsetMs: number): boolean {
    const now = this.#machine.now();
    const doubt = this.#doubt;
    if (doubt !== null && Math.abs(offsetMs - doubt.offsetMs) <= SMALL_MS) {
      return now - doubt.since >= PERSISTED_MS;
    }
    this.#doubt = { offsetMs, since: now };
    return false;
  }
}

function apartText(byMs: number): string {
  const sizeMs = Math.abs(byMs);
  const size =
    sizeMs < HOUR_MS ? `${Math.round(sizeMs / SECOND_MS)} s` : `${(sizeMs / HOUR_MS).toFixed(1)} h`;
  return `${size} ${byMs < 0 ? 'behind' : 'ahead of'}`;
}
