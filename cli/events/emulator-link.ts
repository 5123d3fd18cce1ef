import { ApiError, NetworkError } from '../../shared/client/client-error.ts';
import { createRequest, type Fetch, type Request } from '../../shared/client/request.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../shared/core/domains/transitions.ts';
import { isLoopbackHost } from '../../shared/core/edge/address.ts';
import type { Settings } from '../settings/settings.ts';

/** The emulator behind the API, where it is one. */
export interface EmulatorLink {
  /** Its signing secret, when the key is one of its default app; null else. */
  webhook_secret: string | null;
  trigger(domain_id: string, name: string): Promise<void>;
  /** Moves the clock to what is due next and does it. @returns the time then, RFC 3339, and how much was done. */
  advance(): Promise<{ now: string; steps: number }>;
}

const ANSWER_TIMEOUT_MS = 2_000;
/** Moving the clock answers when all the work on the way is done. */
const ADVANCE_TIMEOUT_MS = 600_000;

/** Null for a hosted service; it is asked only on loopback, as an emulator listens nowhere else. */
export async function findEmulator(
  { base_url, api_key }: Settings,
  fetch: Fetch,
): Promise<EmulatorLink | null> {
  if (!isLoopbackHost(new URL(base_url).hostname)) return null;
  const ask = control(base_url, fetch, ANSWER_TIMEOUT_MS);
  const status = await statusOf(ask);
  if (status === null) return null;
  const { test, live, webhook_secret } = status.keys ?? {};
  const act = control(base_url, fetch, ADVANCE_TIMEOUT_MS);
  return {
    webhook_secret: (api_key === test || api_key === live) && webhook_secret ? webhook_secret : null,
    async trigger(domain_id, name) {
      const path = `/_emulator/domains/${encodeURIComponent(domain_id)}/trigger`;
      await act({ method: 'POST', path, body: { trigger: name } });
    },
    advance: () => act({ method: 'POST', path: '/_emulator/clock/advance', body: { until: 'next' } }),
  };
}

/** The triggers that some row of the state machine takes from this status. */
export function triggersFrom(status: Status): string[] {
  const names = TRANSITIONS.filter(({ from, on }) => from.includes(status) && on !== 'recreate').map(
    ({ on }) => on,
  );
  return [...new Set(names)];
}

function control(base_url: string, fetch: Fetch, timeout_ms: number): Request {
  return createRequest({ base_url, headers: {}, fetch, retries: 0, timeout_ms });
}

async function statusOf(ask: Request) {
  try {
    return await ask<{ keys?: { test?: string; live?: string; webhook_secret?: string } }>({
      method: 'GET',
      path: '/_emulator/status',
    });
  } catch (error) {
    // No emulator, then: the feed tells what else is wrong.
    if (error instanceof ApiError || error instanceof NetworkError) return null;
    throw error;
  }
}
