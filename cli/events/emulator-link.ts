import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { createRequest, type Fetch, type Request } from '../../shared/client/request.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../shared/core/domains/transitions.ts';
import { isLoopbackHost } from '../../shared/core/net/address.ts';
import type { CliSettings } from '../settings/settings.ts';

/** The emulator behind the API. */
export interface EmulatorLink {
  /** The emulator's signing secret, if the key belongs to its default app; else null. */
  webhookSecret: string | null;
  trigger(domainId: string, name: string): Promise<void>;
  /** Moves the clock to the next due work and does it. Returns the new time (RFC 3339) and the number of steps done. */
  advance(): Promise<{ now: string; steps: number }>;
}

const STATUS_TIMEOUT_MS = 2_000;
/** The timeout is long, because the emulator responds to a clock move only when all the due work is done. */
const ADVANCE_TIMEOUT_MS = 600_000;

/** Returns the emulator at the address, or null for a hosted server. Sends no request to an address that is not loopback. */
export async function findEmulator(
  { baseUrl, apiKey }: CliSettings,
  fetch: Fetch,
): Promise<EmulatorLink | null> {
  if (!isLoopbackHost(new URL(baseUrl).hostname)) return null;
  const status = await statusOf(control(baseUrl, fetch, STATUS_TIMEOUT_MS));
  if (status === null) return null;
  const { test, live, webhook_secret } = status.keys ?? {};
  const act = control(baseUrl, fetch, ADVANCE_TIMEOUT_MS);
  return {
    webhookSecret: (apiKey === test || apiKey === live) && webhook_secret ? webhook_secret : null,
    async trigger(domainId, name) {
      const path = `/_emulator/domains/${encodeURIComponent(domainId)}/trigger`;
      await act({ method: 'POST', path, body: { trigger: name } });
    },
    advance: () => act({ method: 'POST', path: '/_emulator/clock/advance', body: { until: 'next' } }),
  };
}

/** Returns the triggers of the state machine's transitions from this status. */
export function triggersFrom(status: Status): string[] {
  const names = TRANSITIONS.filter(({ from, on }) => from.includes(status) && on !== 'recreate').map(
    ({ on }) => on,
  );
  return [...new Set(names)];
}

function control(baseUrl: string, fetch: Fetch, timeoutMs: number): Request {
  return createRequest({ baseUrl, headers: {}, fetch, retries: 0, timeoutMs });
}

async function statusOf(ask: Request) {
  try {
    return await ask<{ keys?: { test?: string; live?: string; webhook_secret?: string } }>({
      method: 'GET',
      path: '/_emulator/status',
    });
  } catch (error) {
    // The server is not an emulator, or cannot be reached. The feed reports connection errors.
    if (error instanceof ApiError || error instanceof NetworkError) return null;
    throw error;
  }
}
