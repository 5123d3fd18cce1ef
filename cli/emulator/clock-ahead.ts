import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import { createRequest, type Fetch } from '../../shared/client/request.ts';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import type { CliSettings } from '../settings/settings.ts';

const TIMEOUT_MS = 1_000;

/**
 * Returns how many milliseconds the server's clock is ahead of this machine's. Sends no request to a hosted server, because only an
 * emulator's clock can be moved.
 */
export async function clockAheadMs({ baseUrl, emulator }: CliSettings): Promise<number> {
  if (emulator === null) return (await askClock(baseUrl))?.aheadMs ?? 0;
  const now = emulator.emulator.clock?.now;
  return now === undefined ? 0 : Date.parse(now) - Date.now();
}

/** Returns the current time by the server's clock, in milliseconds since the epoch. An emulator's clock can be moved. */
export async function serverNowMs(settings: CliSettings): Promise<number> {
  return Date.now() + (await clockAheadMs(settings));
}

/** The clock of an emulator at the moment when it was read. Users can move and freeze this clock. */
export interface ServerClock {
  /** The clock's time (RFC 3339). */
  now: string;
  /** How many milliseconds the clock was ahead of this machine's. */
  aheadMs: number;
  /** True if the clock is frozen. */
  isFrozen: boolean;
}

/**
 * Returns the current time of the server's clock (RFC 3339).
 *
 * @param clock the emulator's clock; null for a server whose clock is this machine's.
 */
export function serverTime(clock: ServerClock | null): string {
  if (clock?.isFrozen) return clock.now;
  return new Date(Date.now() + (clock?.aheadMs ?? 0)).toISOString();
}

/** Reads the clock of the emulator at an address. Returns null if the server does not respond, or is not an emulator. */
export async function askClock(baseUrl: string): Promise<ServerClock | null> {
  const clock = await readFromEmulator<{ now?: unknown; mode?: unknown }>(baseUrl, '/_emulator/clock');
  if (typeof clock?.now !== 'string') return null;
  const { now, mode } = clock;
  return { now, aheadMs: Date.parse(now) - Date.now(), isFrozen: mode === 'frozen' };
}

/**
 * Reads a resource of the emulator's control surface. Returns null if the server does not respond, or is not an emulator, because the
 * command's own request reports such errors. Sends no request to an address that is not loopback.
 */
export async function readFromEmulator<T>(
  baseUrl: string,
  path: string,
  { fetch = nodeFetch, timeoutMs = TIMEOUT_MS }: { fetch?: Fetch; timeoutMs?: number } = {},
): Promise<T | null> {
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return null;
  try {
    const ask = createRequest({ baseUrl, headers: {}, fetch, retries: 0, timeoutMs });
    return await ask<T>({ method: 'GET', path });
  } catch (error) {
    if (error instanceof ApiError || error instanceof NetworkError) return null;
    throw error;
  }
}
