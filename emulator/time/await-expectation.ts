import { type Instant, timestamp } from '../../shared/core/instant.ts';
import { monotonicClock } from '../../shared/ports/clock.ts';
import { pause } from '../../shared/ports/pause.ts';
import type { Composition } from '../compose.ts';
import type { ClockMode } from './adjustable-clock.ts';
import type { Expectation } from './expectation.ts';
import { findExpected, findUnsent, type Met, nearestTo } from './find-expected.ts';

/** How a wait ended: with what was expected, or with what comes nearest to it. */
export type Awaited =
  | { met: true; found: Met['found'] }
  | { met: false; waited: string; nearest: Met['found'] | null };

const UNSENT = 'at all: it was not sent: the app has no webhook_url';
const LOOK_MS = 10;
/** What is due comes at once under `auto`; what has not been asked for by then, in real time, is not coming. */
const AUTO_WAIT_MS_MAX = 30_000;
/** Whoever waits at the other end of a connection is answered before they stop listening. */
const WAIT_MS_MAX = 540_000;

/**
 * Waits for an expectation. The time is the emulator's, so that a clock in `auto` gets there in milliseconds and a test says the same on
 * every machine; a frozen clock stands, so there it is real time. Nobody waits longer than that in real time, nor 30 s under `auto`.
 */
export async function awaitExpectation(
  { context, clock }: Pick<Composition, 'context' | 'clock'>,
  expectation: Expectation,
  within_ms: number,
  is_over: () => boolean = () => false,
): Promise<Awaited> {
  const [since, since_real] = [clock.now(), monotonicClock.now()];
  const last_moment: Instant = since + within_ms;
  for (;;) {
    const { mode } = clock.state;
    const frozen = mode === 'frozen';
    // Before the look: what came up in time may be seen late.
    const over = monotonicClock.now() - since_real > realWaitMs(mode, within_ms);
    const passed = !frozen && clock.now() > last_moment;
    if (is_over()) return { met: false, waited: 'before the emulator closed', nearest: null };
    const met = await findExpected(context, expectation);
    if (met !== null && (frozen || met.at <= last_moment)) return { met: true, found: met.found };
    const unsent = met === null ? await findUnsent(context, expectation) : null;
    if (unsent !== null) return { met: false, waited: UNSENT, nearest: unsent };
    if (over || passed) {
      const late = met === null ? '' : `, and so only at ${timestamp(met.at)}`;
      const nearest = met?.found ?? (await nearestTo(context, expectation));
      return { met: false, waited: `until ${timestamp(clock.now())}${late}`, nearest };
    }
    await pause(LOOK_MS);
  }
}

function realWaitMs(mode: ClockMode, within_ms: number): number {
  return Math.min(within_ms, mode === 'auto' ? AUTO_WAIT_MS_MAX : WAIT_MS_MAX);
}
