import { chaosSchema, toChaos } from '../chaos/chaos-schema.ts';
import { type ControlAction, readAs } from './action.ts';
import { errorsSchema } from './bodies.ts';

/** Makes the next matching API requests fail with a code of `docs/api.md#errors`. */
export const forceErrors: ControlAction = async ({ emulator, body }) => {
  emulator.errors.force(readAs(errorsSchema, body));
  return { data: emulator.errors.list() };
};

/** Sets the faults for webhooks and API clients. An empty object ends them. */
export const setChaos: ControlAction = async ({ emulator, body }) => {
  emulator.chaos.set(toChaos(readAs(chaosSchema, body)));
  return emulator.chaos.get();
};

export const getChaos: ControlAction = async ({ emulator }) => emulator.chaos.get();

/** Lists the forced errors that still wait for a matching API request. */
export const listForcedErrors: ControlAction = async ({ emulator }) => ({ data: emulator.errors.list() });

export const clearForcedErrors: ControlAction = async ({ emulator }) => {
  emulator.errors.clear();
  return null;
};
