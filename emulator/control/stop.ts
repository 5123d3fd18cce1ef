import { pause } from '../../shared/ports/pause.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema } from './bodies.ts';

/** Long enough for the answer to leave: the end of the emulator ends every connection. */
const STOP_AFTER_MS = 20;

/** Ends the emulator. */
export const stopEmulator: ControlAction = async ({ stop, body }) => {
  readAs(emptySchema, body);
  void pause(STOP_AFTER_MS).then(stop);
  return null;
};
