import { confirmIdentity } from './confirm-identity.ts';
import { type Resource, useReading } from './reading.ts';
import { DASHBOARD_SERVER, RequestError, send } from './send.ts';
import { forgetSession, noteOldSignIn } from './session.ts';

/**
 * Calls the dashboard's server. If the action needs a recent sign-in, asks the person to sign in again and repeats the call.
 * @param call method and path below `/dashboard/api`, such as `GET /session`.
 * @throws RequestError
 */
export async function ask<T>(call: string, body?: object, signal?: AbortSignal): Promise<T> {
  try {
    return await send<T>(DASHBOARD_SERVER, call, { body, signal });
  } catch (thrown) {
    if (!(thrown instanceof RequestError)) throw thrown;
    if (thrown.code === 'sign_in_required') forgetSession();
    if (thrown.code !== 'sign_in_again') throw thrown;
    noteOldSignIn();
    await confirmIdentity(thrown);
    return send<T>(DASHBOARD_SERVER, call, { body, signal });
  }
}

/**
 * Requests a path below `/dashboard/api`, and requests it again whenever the page's data may be out of date.
 * @param path null to request nothing.
 */
export function useResource<T>(path: string | null): Resource<T> {
  return useReading<T>(ask, DASHBOARD_SERVER, path);
}
