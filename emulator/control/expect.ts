import { awaitExpectation } from '../time/await-expectation.ts';
import { readExpectation } from '../time/expectation.ts';
import { type ControlAction, readAs } from './action.ts';
import { expectSchema } from './bodies.ts';

/** Answers when what is expected has come up, or the time for it is over. */
export const expectThis: ControlAction = async ({ emulator, body }) => {
  const { expect, within } = readAs(expectSchema, body);
  return awaitExpectation(emulator, readExpectation(expect), within, emulator.isClosed);
};
