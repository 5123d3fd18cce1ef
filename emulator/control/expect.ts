import { awaitExpectation } from '../time/await-expectation.ts';
import { readExpectation } from '../time/expectation.ts';
import { type ControlAction, readAs } from './action.ts';
import { expectSchema } from './bodies.ts';

/** Waits for an expectation. Responds once it is met or the wait has timed out. */
export const waitForExpectation: ControlAction = async ({ emulator, body }) => {
  const { expect, within } = readAs(expectSchema, body);
  return awaitExpectation(emulator, readExpectation(expect), within, emulator.isClosed);
};
