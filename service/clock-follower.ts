import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../shared/core/instant.ts';
import type { Clock } from '../shared/ports/clock.ts';

/** A difference that the clock takes over at once: it stands still for so long at most when it has to go back. */
const SMALL_MS = 5 * SECOND_MS;
/** The database's time agrees with this machine's when they are no further apart. */
const AGREED_MS = 30 * SECOND_MS;
/** A step that this machine's time does not confirm is believed once it has lasted for so long. */
const BELIEVED_AFTER_MS = 10 * MINUTE_MS;
/** Receivers of webhooks refuse a signature by a clock that is further off (section 6). */
const WRONG_MS = 5 * MINUTE_MS;

/** What a measurement led to: the step in milliseconds, negative where it goes back. */
export type Measured = { kind: 'followed' } | { kind: 'doubted' | 'stepped'; by_ms: number };

/**
 * Follows another clock that may jump (`decisions/0023`). Small differences are taken over at once. A step is believed when this
 * machine's time of day confirms it, or once it has lasted ten minutes; until then the clock goes on at its own pace.
 */
export class ClockFollower implements Clock {
  readonly #machine: Clock;
  readonly #wall: Clock;
  #offset_ms: number;
  #said: Instant = Number.NEGATIVE_INFINITY;
  #doubt: { offset_ms: number; since: number } | null = null;

  /**
   * @param machine monotonic.
   * @param wall the time of day of this machine.
   * @param offset_ms the followed clock's time less the monotonic one's, as first measured.
   */
  constructor(machine: Clock, wall: Clock, offset_ms: number) {
    this.#machine = machine;
    this.#wall = wall;
    this.#offset_ms = offset_ms;
  }

  now(): Instant {
    // What this node has said already stands: a small step back is waited out.
    this.#said = Math.max(this.#said, this.#machine.now() + this.#offset_ms);
    return this.#said;
  }

  /** Takes a measurement in. */
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

  /** Says what is wrong with the time; null where nothing is. */
  problem(): string | null {
    if (this.#doubt !== null) {
      const apart = apartText(this.#doubt.offset_ms - this.#offset_ms);
      return `the database's clock jumped to ${apart} this node's time, which goes on at its own pace`;
    }
    const by_ms = this.now() - this.#wall.now();
    return Math.abs(by_ms) < WRONG_MS
      ? null
      : `the database's clock is ${apartText(by_ms)} this machine's: one of the two is wrong`;
  }

  #isConfirmed(offset_ms: number): boolean {
    return Math.abs(this.#machine.now() + offset_ms - this.#wall.now()) <= AGREED_MS;
  }

  /** A clock that stands still, or goes at another pace, is a new step with each measurement. */
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
