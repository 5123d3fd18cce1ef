import { timestamp } from '../../shared/core/instant.ts';
import type { EmulatorComposition } from '../compose.ts';
import { awaitExpectation } from '../time/await-expectation.ts';
import { readExpectation } from '../time/expectation.ts';
import { type ControlAction, readAs } from './action.ts';
import { advanceSchema, clockSchema, expectSchema } from './bodies.ts';

/** Returns the clock's mode and time. */
export const getClock: ControlAction = async ({ emulator }) => presentClock(emulator);

export const setClock: ControlAction = async ({ emulator, body }) => {
  await emulator.time.setMode(readAs(clockSchema, body).mode);
  return presentClock(emulator);
};

/** Moves the clock. Responds once all work that came due on the way is done. */
export const advanceClock: ControlAction = async ({ emulator, body }) => {
  const moved = await emulator.time.advance(readAs(advanceSchema, body));
  return { ...presentClock(emulator), ...moved };
};

/** Formats the clock for a response. During a move, `moving` has the number of steps so far and the target. */
export function presentClock({ clock, time }: EmulatorComposition) {
  const { offset_ms } = clock;
  const { mode } = clock.state;
  const moving = time.currentMove();
  return {
    mode,
    now: timestamp(clock.now()),
    offset_ms,
    ...(moving && { moving: { steps: moving.steps, to: timestamp(moving.to) } }),
  };
}

/** Waits for an expected event or status. Responds once it has happened or the wait has timed out. */
export const waitForExpectation: ControlAction = async ({ emulator, body }) => {
  const { expect, within } = readAs(expectSchema, body);
  return awaitExpectation(emulator, readExpectation(expect), within, emulator.isClosed);
};
