import { chaosSchema, toChaos } from '../chaos/chaos-schema.ts';
import { type ControlAction, readAs } from './action.ts';
import { errorsSchema } from './bodies.ts';

/** The next matching API requests answer with a code of section 7. */
export const forceErrors: ControlAction = async ({ emulator, body }) => {
  emulator.errors.force(readAs(errorsSchema, body));
  return { data: emulator.errors.list() };
};

/** Faults for webhooks and for clients of the API from now on; `{}` ends them. */
export const setChaos: ControlAction = async ({ emulator, body }) => {
  emulator.chaos.set(toChaos(readAs(chaosSchema, body)));
  return emulator.chaos.get();
};

export const getChaos: ControlAction = async ({ emulator }) => emulator.chaos.get();
