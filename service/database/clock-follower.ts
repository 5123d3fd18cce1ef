import { HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/system.ts';

/**
 * The clock immediately applies differences up to this size. After a negative difference, the clock stands still until its time has caught
 * up.
 */
const SMALL_MS = 5 * SECOND_MS;
/** If the machine's time and the database's time differ by at most this much, each of them confirms the other. */
const AGREED_MS = 30 * SECOND_MS;
/** If the machine's time does not confirm a larger step, the clock follows the step only after it has persisted for this long. */
const PERSISTED_MS = 10 * MINUTE_MS;

/** The result of a measurement. `byMs` is the size of the step in milliseconds, negative for a step back. */
export type Measured = { kind: 'followed' } | { kind: 'doubted' | 'stepped'; byMs: number };

/**
 * Creates a clock that follows another clock, which may jump (`decisions/0023`). It applies small differences immediately. It applies a
 * larger step if this machine's time of day confirms the step, or once the step has persisted for 10 minutes. Until then, it runs on at its
 * own pace.
 * @param machine a monotonic clock.
 * @param wall the time of day of this machine.
 * @param firstOffsetMs the first measured offset: the followed clock's time minus the monotonic time.
 */
export function createClockFollower(machine: Clock, wall: Clock, firstOffsetMs: number) {
  let offsetMs = firstOffsetMs;
  let reported: Instant = Number.NEGATIVE_INFINITY;
  let doubt: { offsetMs: number; since: number } | null = null;

  function now(): Instant {
    // After a small step back, the clock stands still for a while, so that its time never decreases.
    reported = Math.max(reported, machine.now() + offsetMs);
    return reported;
  }

  /** Applies a measured offset. Returns `doubted` if the offset is too different to apply without confirmation. */
  function measured(measuredMs: number): Measured {
    const byMs = measuredMs - offsetMs;
    const isSmall = Math.abs(byMs) <= SMALL_MS;
    if (!isSmall && !isConfirmed(measuredMs) && !hasPersisted(measuredMs)) return { kind: 'doubted', byMs };
    doubt = null;
    offsetMs = measuredMs;
    if (isSmall) return { kind: 'followed' };
    reported = machine.now() + offsetMs;
    return { kind: 'stepped', byMs };
  }

  /** Returns the problem with the database's time, or null if there is none. */
  function problem(): string | null {
    if (doubt !== null) {
      const apart = apartText(doubt.offsetMs - offsetMs);
      return `the database's clock jumped to ${apart} this node's time; the node keeps its own time`;
    }
    const byMs = now() - wall.now();
    return Math.abs(byMs) <= AGREED_MS
      ? null
      : `the database's clock is ${apartText(byMs)} this machine's clock; one of them is wrong`;
  }

  function isConfirmed(measuredMs: number): boolean {
    return Math.abs(machine.now() + measuredMs - wall.now()) <= AGREED_MS;
  }

  /**
   * Returns true if the same offset has been measured for 10 minutes. A clock that stands still or runs at another pace gives a new offset
   * at each measurement, so its offset never persists.
   */
  function hasPersisted(measuredMs: number): boolean {
    const at = machine.now();
    if (doubt !== null && Math.abs(measuredMs - doubt.offsetMs) <= SMALL_MS) {
      return at - doubt.since >= PERSISTED_MS;
    }
    doubt = { offsetMs: measuredMs, since: at };
    return false;
  }

  return { now, measured, problem };
}

function apartText(byMs: number): string {
  const sizeMs = Math.abs(byMs);
  const size =
    sizeMs < HOUR_MS ? `${Math.round(sizeMs / SECOND_MS)} s` : `${(sizeMs / HOUR_MS).toFixed(1)} h`;
  return `${size} ${byMs < 0 ? 'behind' : 'ahead of'}`;
}
