import { findRunningEmulators } from '../../emulator/registry.ts';
import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { CliError } from '../runtime/cli-error.ts';
import type { Settings } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';

/** What an answer means here, where it is known where the address and the key came from; any other error as it is. */
export async function saidBetter(error: unknown, settings: Settings | null, world: World): Promise<unknown> {
  if (error instanceof NetworkError && settings !== null) return unreachable(error, settings);
  if (!(error instanceof ApiError)) return error;
  if (error.code === `http_${error.status}`) return notTheApi(error, world);
  return error.code === 'unauthorized' && settings !== null ? refusedKey(error, settings) : error;
}

/** Without the envelope of section 7 the status says nothing of what was asked: a 404 is no domain that is missing. */
async function notTheApi(error: ApiError, world: World): Promise<CliError> {
  const { status, docs: base_url } = error;
  const told = (message: string, fix: string) =>
    new CliError('not_the_api', message, { fix, status, cause: error });
  const running = await findRunningEmulators(world.env);
  const emulator = running.find(({ edge_url }) => hostOf(edge_url) === hostOf(base_url));
  if (emulator !== undefined) {
    const message = `${base_url} is no API of Nameplate: that is the edge of the emulator; the API is at ${emulator.url}.`;
    return told(message, `Take --base-url ${emulator.url}, or set NAMEPLATE_BASE_URL to it.`);
  }
  if (status >= 500) {
    const message = `${base_url} answered ${status}, and not as the API of Nameplate does.`;
    return told(message, 'Try again later; if it stays so, check the base URL.');
  }
  return told(`${base_url} is no API of Nameplate: it answered ${status}.`, 'Check the base URL.');
}

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** The API knows neither where the key came from nor by which address it was asked. */
function refusedKey(error: ApiError, { api_key_from, base_url, profile }: Settings): ApiError {
  const whose = profile === null ? api_key_from : `${api_key_from}, ${profile}`;
  const fix = 'Give it a key that is valid there: nameplate login, or NAMEPLATE_API_KEY.';
  return new ApiError({ ...error, message: `The key of ${whose} is refused by ${base_url}.`, fix });
}

/** Names the source of the address: a stored profile outlives its server, and every command then goes to that address. */
function unreachable(error: NetworkError, { base_url_from, profile }: Settings): CliError {
  const logout = profile === null ? '' : `, or run nameplate logout to remove the profile "${profile}"`;
  const fix = `The address comes from ${base_url_from}. Check that a server runs there${logout}, then try again.`;
  return new CliError('network_error', error.message, { fix, cause: error });
}
