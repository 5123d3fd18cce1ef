import { timestamp } from '../../shared/core/instant.ts';
import type { Composition } from '../main.ts';
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
  const steps = await emulator.time.advance(readAs(advanceSchema, body));
  return { ...presentClock(emulator), steps };
};

export function presentClock({ clock }: Composition) {
  const { mode, offset_ms } = clock.state;
  return { mode, now: timestamp(clock.now()), offset_ms };
}
