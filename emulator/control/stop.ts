import { pause } from '../../shared/ports/pause.ts';
import { type ControlAction, readAs } from './action.ts';
import { emptySchema } from './bodies.ts';

/** Long enough to send the response before the emulator closes every connection. */
const STOP_AFTER_MS = 20;

/** Stops the emulator. */
export const stopEmulator: ControlAction = async ({ stop, body }) => {
  readAs(emptySchema, body);
  void pause(STOP_AFTER_MS).then(stop);
  return null;
};
