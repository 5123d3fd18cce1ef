import { createRateLimiter, type RateState } from '../adapters/rate-limiter.ts';
import type { Settings } from '../core/settings.ts';
import type { Caller } from '../operations/context.ts';
import type { Clock } from '../ports/clock.ts';

/** State of the limits that apply to a request. */
export interface RateReading {
  /** State of the limit that refuses the request, else of the key's limit. */
  state: RateState;
  /** The value of the `RateLimit` header. */
  header: string;
}

export interface GeneralRate {
  /** The value of the `RateLimit-Policy` header: a list, one member for each limit. */
  policy: string;
  take(caller: Caller): RateReading;
}

/**
 * Limits the general rate (`docs/idempotency-and-rates.md`): a bucket for each API key and one for each app, so that more keys do not mean
 * more requests. The header fields are those of draft-ietf-httpapi-ratelimit-headers.
 */
export function createGeneralRate(
  { rate, appRate }: Pick<Settings, 'rate' | 'appRate'>,
  clock: Clock,
): GeneralRate {
  const takeOfKey = createRateLimiter(rate, clock);
  const keyPolicy = `"api";q=${rate.perSecond};w=1`;
  if (appRate === null) {
    return {
      policy: keyPolicy,
      take({ key_id }) {
        const state = takeOfKey(key_id);
        return { state, header: member('api', state) };
      },
    };
  }
  const takeOfApp = createRateLimiter(appRate, clock);
  return {
    policy: `${keyPolicy}, "app";q=${appRate.perSecond};w=1`,
    take({ key_id, app_id }) {
      const ofKey = takeOfKey(key_id);
      // If a key is over its own limit, its requests take no tokens from the app's other keys.
      if (!ofKey.allowed) return { state: ofKey, header: member('api', ofKey) };
      const ofApp = takeOfApp(app_id);
      const header = `${member('api', ofKey)}, ${member('app', ofApp)}`;
      return { state: ofApp.allowed ? ofKey : ofApp, header };
    },
  };
}

function member(policy: string, { remaining, resetS }: RateState): string {
  return `"${policy}";r=${remaining};t=${resetS}`;
}
