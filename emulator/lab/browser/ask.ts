import { type Resource, useReading } from '../../../shared/dashboard/browser/reading.ts';
import { type Server, send } from '../../../shared/dashboard/browser/send.ts';

/** The emulator's control surface. */
export const CONTROL: Server = {
  base: '/_emulator',
  name: 'The emulator',
  unreachableFix: 'Check that it is still running.',
};

/**
 * Calls the control surface.
 * @param call method and path below `/_emulator`, such as `POST /clock/advance`.
 * @param signal aborts the request.
 * @throws RequestError
 */
export function askEmulator<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  return send<T>(CONTROL, call, { body, signal });
}

/** Reads a path of the control surface, and again whenever the emulator changes. @param path null reads nothing. */
export function useEmulatorResource<T>(path: string | null): Resource<T> {
  return useReading<T>(askEmulator, CONTROL, path);
}
