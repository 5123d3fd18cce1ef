import { SEEDED_START, type SeededRandom } from '../state/seeded-random.ts';
import type { ClockMode, ClockState } from './adjustable-clock.ts';

/** The machine's time, or a fixed time if ids are seeded and the clock starts frozen. */
export function startOfTime(mode: ClockMode | null, seeded: SeededRandom | null): ClockState {
  return mode === 'frozen' && seeded !== null
    ? { mode, offset_ms: 0, frozen_at: SEEDED_START }
    : { mode: 'real', offset_ms: 0, frozen_at: null };
}
