import { createRequest, type Fetch } from '../../shared/client/request.ts';
import type { Status } from '../../shared/core/domains/status.ts';
import { TRANSITIONS } from '../../shared/core/domains/transitions.ts';
import { readFromEmulator } from '../emulator/clock-ahead.ts';
import type { CliSettings } from '../settings/settings.ts';

/** The control functions of the emulator that serves the API. */
export interface EmulatorLink {
  /** The emulator's signing secret, if the key belongs to its default app; else null. */
  webhookSecret: string | null;
  trigger(domainId: string, name: string): Promise<void>;
  /**
   * Moves the emulator's clock to the next due work, and waits until the emulator has done it. Returns the new time (RFC 3339) and the
   * number of steps done.
   */
  advance(): Promise<{ now: string; steps: number }>;
}

const STATUS_TIMEOUT_MS = 2_000;
/** The timeout is long, because the emulator responds to a clock move only when all the due work is done. */
const ADVANCE_TIMEOUT_MS = 600_000;

/** Returns the emulator at the address, or null for a hosted server. */
export async function findEmulator(
  { baseUrl, apiKey }: CliSettings,
  fetch: Fetch,
): Promise<EmulatorLink | null> {
  const status = await readFromEmulator<{ keys?: { test?: string; live?: string; webhook_secret?: string } }>(
    baseUrl,
    '/_emulator/status',
    { fetch, timeoutMs: STATUS_TIMEOUT_MS },
  );
  if (status === null) return null;
  const { test, live, webhook_secret } = status.keys ?? {};
  const act = createRequest({ baseUrl, headers: {}, fetch, retries: 0, timeoutMs: ADVANCE_TIMEOUT_MS });
  return {
    webhookSecret: (apiKey === test || apiKey === live) && webhook_secret ? webhook_secret : null,
    async trigger(domainId, name) {
      const path = `/_emulator/domains/${encodeURIComponent(domainId)}/trigger`;
      await act({ method: 'POST', path, body: { trigger: name } });
    },
    advance: () => act({ method: 'POST', path: '/_emulator/clock/advance', body: { until: 'next' } }),
  };
}

/** Returns the names of the triggers that can change a domain with this status. `recreate` is left out. */
export function triggersFrom(status: Status): string[] {
  const names = TRANSITIONS.filter(({ from, on }) => from.includes(status) && on !== 'recreate').map(
    ({ on }) => on,
  );
  return [...new Set(names)];
}
