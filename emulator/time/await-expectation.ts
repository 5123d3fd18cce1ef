import { monotonicClock } from '../../shared/adapters/system.ts';
import { type Instant, timestamp } from '../../shared/core/instant.ts';
import { pause } from '../../shared/ports/system.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { ClockMode } from './adjustable-clock.ts';
import type { Expectation } from './expectation.ts';
import { type ExpectationMatch, findClosest, findExpected, findUnsent } from './find-expected.ts';

/** The result of a wait: what was expected, or the closest match when the wait timed out. */
export type WaitResult =
  | { met: true; found: ExpectationMatch['found'] }
  | { met: false; waited: string; nearest: ExpectationMatch['found'] | null };

const UNSENT = 'at all: the event was not sent because the app has no webhook_url';
const POLL_MS = 10;
/** Real-time limit under `auto`: due work happens at once there, so an event that has not come by then will not come. */
const AUTO_WAIT_MS_MAX = 30_000;
/** Real-time limit in other modes: below the timeout of the client that waits for the response. */
const WAIT_MS_MAX = 540_000;

/**
 * Waits for an expectation. `withinMs` is measured on the emulator's clock, so a test behaves the same on every machine, and a clock in
 * `auto` gets there in milliseconds. If the clock is frozen, it is measured in real time. In real time a wait lasts at most `withinMs`, 30
 * s under `auto`, and 9 minutes in other modes.
 */
export async function awaitExpectation(
  { context, clock }: Pick<EmulatorComposition, 'context' | 'clock'>,
  expectation: Expectation,
  withinMs: number,
  isOver: () => boolean = () => false,
): Promise<WaitResult> {
  const [since, sinceReal] = [clock.now(), monotonicClock.now()];
  const lastMoment: Instant = since + withinMs;
  for (;;) {
    const { mode } = clock.state;
    const frozen = mode === 'frozen';
    // Read before the search, so that a match is still found if it happened in time and is seen late.
    const over = monotonicClock.now() - sinceReal > realWaitMs(mode, withinMs);
    const passed = !frozen && clock.now() > lastMoment;
    if (isOver()) return { met: false, waited: 'when the emulator closed', nearest: null };
    const met = await findExpected(context, expectation);
    if (met !== null && (frozen || met.at <= lastMoment)) return { met: true, found: met.found };
    const unsent = met === null ? await findUnsent(context, expectation) : null;
    if (unsent !== null) return { met: false, waited: UNSENT, nearest: unsent };
    if (over || passed) {
      const waited =
        met === null ? `by ${timestamp(clock.now())}` : `in time: it happened at ${timestamp(met.at)}`;
      const nearest = met?.found ?? (await findClosest(context, expectation));
      return { met: false, waited, nearest };
    }
    await pause(POLL_MS);
  }
}

function realWaitMs(mode: ClockMode, withinMs: number): number {
  return Math.min(withinMs, mode === 'auto' ? AUTO_WAIT_MS_MAX : WAIT_MS_MAX);
}
