import type { ControlAction } from './action.ts';

/** The errors that wait for the next matching API requests. */
export const listForcedErrors: ControlAction = async ({ emulator }) => ({ data: emulator.errors.list() });

export const clearForcedErrors: ControlAction = async ({ emulator }) => {
  emulator.errors.clear();
  return null;
};
