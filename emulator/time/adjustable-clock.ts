import type { Instant } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/system.ts';
import { SEEDED_START, type SeededRandom } from '../state/seeded-random.ts';

export const CLOCK_MODES = ['real', 'auto', 'frozen'] as const;
/** `real` follows the machine's time, `frozen` stands still, `auto` follows the machine's time and jumps to the next due work when idle. */
export type ClockMode = (typeof CLOCK_MODES)[number];

/** The last instant that RFC 3339 can represent. */
export const END_OF_TIME: Instant = Date.parse('9999-12-31T23:59:59.999Z');

/** The state of the clock, which is stored in the emulator's file and restored at the next start. */
export interface ClockState {
  mode: ClockMode;
  /** Offset from the machine's time in milliseconds; 0 while the clock is frozen. */
  offset_ms: number;
  /** The instant at which the clock is frozen; null while it runs. */
  frozen_at: Instant | null;
}

export type AdjustableClock = ReturnType<typeof createAdjustableClock>;

/** The emulator's clock: either the machine's time plus an offset that only grows, or a frozen instant. */
export function createAdjustableClock(machine: Clock, initial: ClockState) {
  let state = initial;

  function now(): Instant {
    return state.frozen_at ?? machine.now() + state.offset_ms;
  }

  /** Changes the mode. The time continues from its current value. */
  function setMode(mode: ClockMode): void {
    const at = now();
    state =
      mode === 'frozen'
        ? { mode, offset_ms: 0, frozen_at: at }
        : { mode, offset_ms: at - machine.now(), frozen_at: null };
  }

  return {
    now,
    setMode,

    get state(): ClockState {
      return { ...state };
    },

    /** How far the clock is ahead of the machine's time. Shrinks while the clock is frozen. */
    get offset_ms(): number {
      return now() - machine.now();
    },

    /** Moves the clock forwards. An earlier instant has no effect. */
    moveTo(instant: Instant): void {
      const at = now();
      if (instant <= at) return;
      if (state.frozen_at === null) state.offset_ms += instant - at;
      else state.frozen_at = instant;
    },

    /** Sets the clock to a stored or imported state. */
    restore(imported: ClockState): void {
      state = { ...imported };
    },
  };
}

/** Returns the state of the clock at the start: the machine's time, or a fixed time if ids are seeded and the clock starts frozen. */
export function startOfTime(mode: ClockMode | null, seeded: SeededRandom | null): ClockState {
  return mode === 'frozen' && seeded !== null
    ? { mode, offset_ms: 0, frozen_at: SEEDED_START }
    : { mode: 'real', offset_ms: 0, frozen_at: null };
}
