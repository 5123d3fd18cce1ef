import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { createRequest } from '../../shared/client/request.ts';
import { isLoopbackHost } from '../../shared/core/edge/address.ts';
import type { CliSettings } from '../settings/settings.ts';

const TIMEOUT_MS = 1_000;

/**
 * Returns how far the server's clock is ahead of this machine's, in milliseconds. Only an emulator's clock can be moved, so a hosted
 * server is not asked.
 */
export async function clockAheadMs({ baseUrl, emulator }: CliSettings): Promise<number> {
  if (emulator === null) return (await askClockAheadMs(baseUrl)) ?? 0;
  return aheadMs(emulator.emulator.clock?.now) ?? 0;
}

/** Asks the server at an address for its clock. Returns null if it does not respond, or is not an emulator. */
export async function askClockAheadMs(baseUrl: string): Promise<number | null> {
  return aheadMs(await askForTime(baseUrl));
}

function aheadMs(now: string | undefined): number | null {
  return now === undefined ? null : Date.parse(now) - Date.now();
}

async function askForTime(baseUrl: string): Promise<string | undefined> {
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return undefined;
  const options = { baseUrl, headers: {}, fetch: nodeFetch, retries: 0, timeoutMs: TIMEOUT_MS };
  try {
    const clock = await createRequest(options)<{ now?: unknown }>({
      method: 'GET',
      path: '/_emulator/clock',
    });
    return typeof clock.now === 'string' ? clock.now : undefined;
  } catch (error) {
    // The server is not an emulator, or cannot be reached: the command's own request reports that.
    if (error instanceof ApiError || error instanceof NetworkError) return undefined;
    throw error;
  }
}
