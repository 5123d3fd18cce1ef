import { type ControlAction, readAs } from './action.ts';
import { chaosSchema, errorsSchema } from './bodies.ts';

/** The next matching API requests answer with a code of section 7. */
export const forceErrors: ControlAction = async ({ emulator, body }) => {
  emulator.errors.force(readAs(errorsSchema, body));
  return { data: emulator.errors.list() };
};

/** Faults for webhook deliveries from now on; `{}` ends them. */
export const setChaos: ControlAction = async ({ emulator, body }) => {
  const { delay, ...rest } = readAs(chaosSchema, body);
  emulator.chaos.set({ ...rest, delay_ms: delay });
  return emulator.chaos.get();
};
