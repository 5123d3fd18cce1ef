import { timestamp } from '../../shared/core/instant.ts';
import type { Composition } from '../compose.ts';
import { type ControlAction, readAs } from './action.ts';
import { advanceSchema, clockSchema } from './bodies.ts';

/** The clock: how it runs, and moving it. */
export const getClock: ControlAction = async ({ emulator }) => presentClock(emulator);

export const setClock: ControlAction = async ({ emulator, body }) => {
  await emulator.time.setMode(readAs(clockSchema, body).mode);
  return presentClock(emulator);
};

/** Answers when all that came due on the way is done. */
export const advanceClock: ControlAction = async ({ emulator, body }) => {
  const moved = await emulator.time.advance(readAs(advanceSchema, body));
  return { ...presentClock(emulator), ...moved };
};

/** `moving` is there while it is being moved: how far a long move has come. */
export function presentClock({ clock, time }: Composition) {
  const { offset_ms } = clock;
  const { mode } = clock.state;
  const moving = time.underWay();
  return {
    mode,
    now: timestamp(clock.now()),
    offset_ms,
    ...(moving && { moving: { steps: moving.steps, to: timestamp(moving.to) } }),
  };
}
