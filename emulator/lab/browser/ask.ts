import { type Resource, useReading } from '../../../shared/dashboard/browser/reading.ts';
import { type Server, send } from '../../../shared/dashboard/browser/send.ts';

/** The address of the emulator's control surface, for requests of the lab. */
export const CONTROL: Server = {
  base: '/_emulator',
  name: 'The emulator',
  unreachableAdvice: 'Check that it is still running.',
};

/**
 * Calls the control surface.
 * @param call the method and the path below `/_emulator`, such as `POST /clock/advance`.
 * @param signal aborts the request.
 * @throws RequestError
 */
export function askEmulator<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  return send<T>(CONTROL, call, { body, signal });
}

/** Reads a resource of the control surface, and reads it again whenever the emulator changes. @param path null sends no request. */
export function useEmulatorResource<T>(path: string | null): Resource<T> {
  return useReading<T>(askEmulator, CONTROL, path);
}
