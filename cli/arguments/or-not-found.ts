import { ApiError } from '../../shared/client/client-error.ts';
import { CliError } from '../runtime/cli-error.ts';

/**
 * Awaits a request, and names the missing resource if the API responds with 404.
 * @param name the resource, such as `event evt_01k…`. @param list the command that lists such resources.
 * @throws CliError `not_found`; any other error of the request unchanged.
 */
export async function orNotFound<T>(request: Promise<T>, name: string, list: string): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    throw new CliError('not_found', `No ${name} in this app and mode.`, {
      fix: `Run ${list} to see what exists.`,
      cause: error,
    });
  }
}
