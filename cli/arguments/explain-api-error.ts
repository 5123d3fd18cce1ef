import { findRunningEmulators } from '../../emulator/registry.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { type NamedProxy, proxyFor } from '../../shared/client/proxy.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { CliSettings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';

/** Returns a clearer error if the server refused the API key, or if the server is not Nameplate. Returns any other error unchanged. */
export async function explainApiError(
  error: unknown,
  settings: CliSettings | null,
  world: World,
): Promise<unknown> {
  if (error instanceof NetworkError && settings !== null) return unreachable(error, settings, world);
  if (!(error instanceof ApiError)) return error;
  if (error.code === `http_${error.status}`) return notTheApi(error, world);
  return error.code === 'unauthorized' && settings !== null ? refusedKey(error, settings) : error;
}

/**
 * Explains a response without the error envelope of `docs/api.md#errors`. Some other server sent it, so a 404 does not mean that a domain
 * is missing.
 */
async function notTheApi(error: ApiError, world: World): Promise<CliError> {
  const { status, docs: baseUrl } = error;
  const notApi = (message: string, fix: string) =>
    new CliError('not_the_api', message, { fix, status, cause: error });
  const running = await findRunningEmulators(world.env);
  const emulator = running.find(({ edge_url }) => hostOf(edge_url) === hostOf(baseUrl));
  if (emulator !== undefined) {
    const message = `${baseUrl} is not a Nameplate API. It is the emulator's edge; the API is at ${emulator.url}.`;
    return notApi(message, `Use --base-url ${emulator.url}, or set NAMEPLATE_BASE_URL to it.`);
  }
  if (status >= 500) {
    const message = `${baseUrl} responded with ${status}, but not in the format of a Nameplate API.`;
    return notApi(message, 'Try again later. If it fails again, check the base URL.');
  }
  return notApi(`${baseUrl} is not a Nameplate API: it responded with ${status}.`, 'Check the base URL.');
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** Adds to the message where the API key came from and which server refused it. The API knows neither. */
function refusedKey(error: ApiError, { apiKeyFrom, baseUrl, profile }: CliSettings): ApiError {
  const source = profile === null ? apiKeyFrom : `${apiKeyFrom}, ${profile}`;
  const fix = 'Use a key of that server: run nameplate login, or set NAMEPLATE_API_KEY.';
  return new ApiError({ ...error, message: `${baseUrl} does not accept the key from ${source}.`, fix });
}

/**
 * Adds to the message where the server's address comes from. If a stored profile names a server that no longer exists, every command fails.
 */
function unreachable(
  error: NetworkError,
  { baseUrl, baseUrlFrom, profile }: CliSettings,
  world: World,
): CliError {
  const proxy = proxyFor(new URL(baseUrl), world.env);
  if (proxy !== null) return throughProxy(error, baseUrl, proxy);
  const logout = profile === null ? '' : `, or run nameplate logout to remove the profile "${profile}"`;
  const fix = `The address comes from ${baseUrlFrom}. Check that a server runs there${logout}, then try again.`;
  return new CliError('network_error', error.message, { fix, cause: error });
}

/** Adds the proxy to the message, because users often do not know that a proxy is configured. */
function throughProxy(error: NetworkError, baseUrl: string, proxy: NamedProxy): CliError {
  const { variable, host, problem } = proxy;
  const { message = '' } = error.cause instanceof Error ? error.cause : {};
  const [, code = 'no response in time'] = /\((\w+)\)/.exec(error.message) ?? [];
  const reason = problem ?? (message.includes('407') ? 'it asks for a user name and a password' : code);
  return new CliError('network_error', `Cannot reach ${baseUrl} through the proxy ${host}: ${reason}.`, {
    fix: `${variable} names the proxy. Correct it, such as http://user:password@proxy:8080, or list the server in NO_PROXY.`,
    cause: error,
  });
}

/**
 * Awaits a request. If the API responds with 404, throws an error that names the missing resource.
 * @param name the resource, such as `event evt_01k…`. @param list the command that lists the existing resources, for the fix.
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

/** Returns true for an error that may go away by itself: a lost connection, a rate limit, or a server error. */
export function isTransient(error: unknown): error is ApiError | NetworkError {
  if (error instanceof NetworkError) return true;
  return error instanceof ApiError && ([408, 429].includes(error.status) || error.status >= 500);
}
