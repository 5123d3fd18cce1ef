import type { Instant } from '../../shared/core/instant.ts';
import type { Clock } from '../../shared/ports/clock.ts';

export const CLOCK_MODES = ['real', 'auto', 'frozen'] as const;
/** `real` runs, `frozen` stands, `auto` runs and jumps to the next due work when there is nothing to do. */
export type ClockMode = (typeof CLOCK_MODES)[number];

/** The last moment that RFC 3339 can write. */
export const END_OF_TIME: Instant = Date.parse('9999-12-31T23:59:59.999Z');

/** What a restart on the same file goes on from. */
export interface ClockState {
  mode: ClockMode;
  /** How far it is ahead of the machine's time, while it runs; 0 while it is frozen. */
  offset_ms: number;
  /** Where it stands, while it is frozen. */
  frozen_at: Instant | null;
}

/** The emulator's clock: the machine's time and an offset that only grows, or a time that stands. */
export class AdjustableClock implements Clock {
  readonly #machine: Clock;
  #state: ClockState;

  constructor(machine: Clock, state: ClockState) {
    this.#machine = machine;
    this.#state = state;
  }

  get state(): ClockState {
    return { ...this.#state };
  }

  /** How far it is ahead of the machine's time; less and less while it stands. */
  get offset_ms(): number {
    return this.now() - this.#machine.now();
  }

  now(): Instant {
    return this.#state.frozen_at ?? this.#machine.now() + this.#state.offset_ms;
  }

  /** Forwards only: an earlier time leaves it where it is. */
  moveTo(instant: Instant): void {
    const now = this.now();
    if (instant <= now) return;
    if (this.#state.frozen_at === null) this.#state.offset_ms += instant - now;
    else this.#state.frozen_at = instant;
  }

  /** The time goes on from where it is. */
  setMode(mode: ClockMode): void {
    const now = this.now();
    this.#state = {
      mode,
      offset_ms: mode === 'frozen' ? 0 : now - this.#machine.now(),
      frozen_at: mode === 'frozen' ? now : null,
    };
  }

  /** As an imported state says. */
  restore(state: ClockState): void {
    this.#state = { ...state };
  }

  /** Back to the machine's time: for a reset, which leaves nothing that could be older. */
  reset(mode: ClockMode): void {
    this.#state = { mode: 'real', offset_ms: 0, frozen_at: null };
    this.setMode(mode);
  }
}
