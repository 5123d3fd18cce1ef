import type { ControlAction } from './action.ts';

/** Lists the forced errors that still wait for a matching API request. */
export const listForcedErrors: ControlAction = async ({ emulator }) => ({ data: emulator.errors.list() });

export const clearForcedErrors: ControlAction = async ({ emulator }) => {
  emulator.errors.clear();
  return null;
};
