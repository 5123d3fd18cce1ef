import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/clock.ts';

/** Largest difference that the clock follows at once. If it has to go back, it stands still for at most this long. */
const SMALL_MS = 5 * SECOND_MS;
/** Largest difference at which this machine's time confirms the database's time. */
const AGREED_MS = 30 * SECOND_MS;
/** Time that an unconfirmed step must last before the clock follows it. */
const BELIEVED_AFTER_MS = 10 * MINUTE_MS;
/** Largest error that receivers of webhooks accept in a signature (section 6). */
const WRONG_MS = 5 * MINUTE_MS;

/** Outcome of a measurement. `by_ms` is the step in milliseconds, negative if it goes back. */
export type Measured = { kind: 'followed' } | { kind: 'doubted' | 'stepped'; by_ms: number };

/**
 * Follows another clock that may jump (`decisions/0023`). It follows small differences at once. It follows a step once this machine's time of
 * day confirms it, or once the step has lasted 10 minutes. Until then it keeps its own pace.
 */
export class ClockFollower implements Clock {
  readonly #machine: Clock;
  readonly #wall: Clock;
  #offset_ms: number;
  #said: Instant = Number.NEGATIVE_INFINITY;
  #doubt: { offset_ms: number; since: number } | null = null;

  /**
   * @param machine a monotonic clock.
   * @param wall the time of day of this machine.
   * @param offset_ms the first measured offset: the followed clock's time minus the monotonic time.
   */
  constructor(machine: Clock, wall: Clock, offset_ms: number) {
    this.#machine = machine;
    this.#wall = wall;
    this.#offset_ms = offset_ms;
  }

  now(): Instant {
    // Time that this node has reported never goes back by a small step: the clock waits instead.
    this.#said = Math.max(this.#said, this.#machine.now() + this.#offset_ms);
    return this.#said;
  }

  /** Applies a measured offset. */
  measured(offset_ms: number): Measured {
    const by_ms = offset_ms - this.#offset_ms;
    if (Math.abs(by_ms) <= SMALL_MS) {
      this.#doubt = null;
      this.#offset_ms = offset_ms;
      return { kind: 'followed' };
    }
    if (!this.#isConfirmed(offset_ms) && !this.#hasLasted(offset_ms)) return { kind: 'doubted', by_ms };
    this.#doubt = null;
    this.#offset_ms = offset_ms;
    this.#said = this.#machine.now() + offset_ms;
    return { kind: 'stepped', by_ms };
  }

  /** Returns the problem with the time, or null if there is none. */
  problem(): string | null {
    if (this.#doubt !== null) {
      const apart = apartText(this.#doubt.offset_ms - this.#offset_ms);
      return `the database's clock jumped to ${apart} this node's time, which keeps its own pace`;
    }
    const by_ms = this.now() - this.#wall.now();
    return Math.abs(by_ms) < WRONG_MS
      ? null
      : `the database's clock is ${apartText(by_ms)} this machine's: one of the two is wrong`;
  }

  #isConfirmed(offset_ms: number): boolean {
    return Math.abs(this.#machine.now() + offset_ms - this.#wall.now()) <= AGREED_MS;
  }

  /** Recognises a step by its offset. A clock that stands still, or runs at another pace, makes a new step with each measurement. */
  #hasLasted(offset_ms: number): boolean {
    const now = this.#machine.now();
    const doubt = this.#doubt;
    if (doubt !== null && Math.abs(offset_ms - doubt.offset_ms) <= SMALL_MS) {
      return now - doubt.since >= BELIEVED_AFTER_MS;
    }
    this.#doubt = { offset_ms, since: now };
    return false;
  }
}

function apartText(by_ms: number): string {
  const size_ms = Math.abs(by_ms);
  const size =
    size_ms < HOUR_MS ? `${Math.round(size_ms / SECOND_MS)} s` : `${(size_ms / HOUR_MS).toFixed(1)} h`;
  return `${size} ${by_ms < 0 ? 'behind' : 'ahead of'}`;
}
