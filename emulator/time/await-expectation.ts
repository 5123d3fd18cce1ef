import { monotonicClock } from '../../shared/adapters/system.ts';
import { type Instant, timestamp } from '../../shared/core/instant.ts';
import { pause } from '../../shared/ports/system.ts';
import type { EmulatorComposition } from '../compose.ts';
import type { ClockMode } from './adjustable-clock.ts';
import type { Expectation } from './expectation.ts';
import { type ExpectationMatch, findClosest, findExpected, findUnsent } from './find-expected.ts';

/** The result of a wait: the expected event or domain, or the closest match if the wait has timed out. */
export type WaitResult =
  | { met: true; found: ExpectationMatch['found'] }
  | { met: false; waited: string; nearest: ExpectationMatch['found'] | null };

const UNSENT = 'at all: the event was not sent because the app has no webhook_url';
const POLL_MS = 10;
/** Limit of a wait in real time if the clock's mode is `auto`. In this mode, due work happens immediately, so waiting longer is useless. */
const AUTO_WAIT_MS_MAX = 30_000;
/** Limit of a wait in real time in other modes. It is shorter than the timeout of the client that waits for the response. */
const WAIT_MS_MAX = 540_000;

/**
 * Waits until an expected event or status occurs. `withinMs` is measured by the emulator's clock, so that a test behaves the same on every
 * machine; a frozen clock is replaced by real time. In real time, the wait also ends after `withinMs`, after 30 s in mode `auto`, and after
 * 9 minutes in other modes.
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
    // Read the clocks before the search, so that a match is accepted even if the search finds it after the deadline.
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
