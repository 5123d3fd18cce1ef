import { type Server, send } from '../../../shared/dashboard/browser/send.ts';

const EMULATOR = { name: 'The emulator', unreachableFix: 'Check that it is still running.' };
const CONTROL: Server = { ...EMULATOR, base: '/_emulator' };
const API: Server = { ...EMULATOR, base: '/v1' };

/**
 * Calls the control surface.
 * @param call method and path below `/_emulator`, such as `POST /clock/advance`.
 * @param signal aborts the request.
 * @throws RequestError
 */
export function ask<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  return send<T>(CONTROL, call, { body, signal });
}

/** Calls the API below `/v1`. @throws RequestError */
export function askApi<T>(key: string, call: string, body?: object): Promise<T> {
  return send<T>(API, call, { headers: { authorization: `Bearer ${key}` }, body });
}
