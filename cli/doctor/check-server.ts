import { createClient } from '../../shared/client/client.ts';
import { nodeFetch } from '../../shared/client/node-fetch.ts';
import type { Fetch } from '../../shared/client/request.ts';
import { LIMITS } from '../../shared/core/limits.ts';
import type { AppResource } from '../../shared/schema/app.ts';
import { describeError } from '../runtime/error-presenter.ts';
import { isUnencrypted } from '../settings/base-url.ts';
import { type CliSettings, resolveSettings, type SettingsFlags } from '../settings/settings.ts';
import type { World } from '../settings/world.ts';
import { type DoctorFinding, ok, problem, warning } from './check-machine.ts';

/**
 * Checks the settings, the key, the server's response, the clock, and the app's own state. Stops at the first check that blocks the next.
 */
export async function checkServer(flags: SettingsFlags, world: World): Promise<DoctorFinding[]> {
  let settings: CliSettings;
  try {
    settings = await resolveSettings(flags, world);
  } catch (error) {
    return [failed('key and server', error)];
  }
  const { baseUrl, baseUrlFrom, apiKeyFrom, mode } = settings;
  const found = [
    isUnencrypted(baseUrl)
      ? warning(
          'server',
          `${baseUrl}, from ${baseUrlFrom}`,
          'Use https, because http sends the key unencrypted.',
        )
      : ok('server', `${baseUrl}, from ${baseUrlFrom}`),
    ok('key', `${mode} mode, from ${apiKeyFrom}`),
  ];
  const seen: { date: string | null; took_ms: number } = { date: null, took_ms: 0 };
  const fetch: Fetch = async (url, init) => {
    const startedAt = performance.now();
    const response = await nodeFetch(url, init);
    Object.assign(seen, {
      date: response.headers.get('date'),
      took_ms: Math.round(performance.now() - startedAt),
    });
    return response;
  };
  const { apiKey } = settings;
  try {
    const app = await createClient({ baseUrl, apiKey, fetch, retries: 0, timeoutMs: 10_000 }).apps.get();
    found.push(ok('response', `${app.name} in ${seen.took_ms} ms`), ...clock(seen.date), ...appFindings(app));
  } catch (error) {
    found.push(failed('response', error), ...clock(seen.date));
  }
  return found;
}

function failed(check: string, error: unknown): DoctorFinding {
  const { message, fix, exit } = describeError(error);
  return problem(check, message, fix, exit);
}

/**
 * Compares this machine's clock with the server's. A receiver refuses a signature whose time is more than 300 s from its own clock
 * (`docs/api.md#webhooks`).
 */
function clock(date: string | null): DoctorFinding[] {
  const server = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(server)) return [];
  const offS = Math.round((Date.now() - server) / 1000);
  const found =
    Math.abs(offS) <= 1 ? 'in sync' : `${Math.abs(offS)} s ${offS > 0 ? 'ahead of' : 'behind'} the server`;
  if (Math.abs(offS) <= LIMITS.signature_tolerance_s / 10) return [ok('clock', found)];
  return [warning('clock', found, "Set this machine's clock. Webhook signatures are checked against it.")];
}

function appFindings({
  webhook_url,
  origin_url,
  origin_unreachable,
  origin_status_reason,
}: AppResource): DoctorFinding[] {
  const webhook =
    webhook_url === null
      ? warning(
          'webhooks',
          'no webhook_url set',
          'Run nameplate apps update --webhook <url>, or use nameplate listen.',
        )
      : ok('webhooks', webhook_url);
  if (origin_url === null)
    return [webhook, warning('origin', 'not set', 'Run nameplate apps update --origin <url>.')];
  return origin_unreachable
    ? [
        webhook,
        warning(
          'origin',
          `${origin_url} is unreachable (${origin_status_reason})`,
          'Check that it is running and that the internet can reach it.',
        ),
      ]
    : [webhook, ok('origin', origin_url)];
}
