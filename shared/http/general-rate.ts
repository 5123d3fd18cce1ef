import { createRateLimiter, type RateState } from '../adapters/rate-limiter.ts';
import { BUDGETS } from '../core/budgets.ts';
import type { RequestRate, Settings } from '../core/settings.ts';
import type { Caller } from '../operations/context.ts';
import type { Clock } from '../ports/system.ts';

/** The state of the rate limits after a request. */
export interface RateReading {
  /** The state of the limit that refuses the request. If no limit refuses the request, the state of the key's limit. */
  state: RateState;
  /** The value of the `RateLimit` header. */
  header: string;
}

export interface GeneralRate {
  /** The value of the `RateLimit-Policy` header: a list with one member for each limit. */
  policy: string;
  take(caller: Caller): RateReading;
}

/**
 * Limits the general rate of requests (`docs/idempotency-and-rates.md`) with a token bucket for each API key, each app and each account.
 * More keys or apps thus do not allow more requests. The header fields follow draft-ietf-httpapi-ratelimit-headers.
 */
export function createGeneralRate(
  { rate, appRate }: Pick<Settings, 'rate' | 'appRate'>,
  clock: Clock,
): GeneralRate {
  const limits: [policy: string, rate: RequestRate, partyOf: (caller: Caller) => string][] = [
    ['api', rate, ({ key_id }) => key_id],
  ];
  if (appRate !== null) {
    const apps = BUDGETS.account.perSecond / BUDGETS.app.perSecond;
    const accountRate = { perSecond: appRate.perSecond * apps, burst: appRate.burst * apps };
    limits.push(
      ['app', appRate, ({ app_id }) => app_id],
      ['account', accountRate, ({ account_id }) => account_id],
    );
  }
  const takers = limits.map(([policy, each, partyOf]) => {
    const take = createRateLimiter(each, clock);
    return { policy, take: (caller: Caller) => take(partyOf(caller)) };
  });
  return {
    policy: limits.map(([policy, { perSecond }]) => `"${policy}";q=${perSecond};w=1`).join(', '),
    take(caller) {
      const taken: [policy: string, state: RateState][] = [];
      for (const { policy, take } of takers) {
        const state = take(caller);
        taken.push([policy, state]);
        // A request beyond one limit takes no tokens from the limits that follow.
        if (!state.allowed) break;
      }
      const [first, last] = [taken[0]?.[1], taken.at(-1)?.[1]];
      if (first === undefined || last === undefined) throw new TypeError('there is no limit');
      return {
        state: last.allowed ? first : last,
        header: taken.map(([policy, state]) => member(policy, state)).join(', '),
      };
    },
  };
}

function member(policy: string, { remaining, resetS }: RateState): string {
  return `"${policy}";r=${remaining};t=${resetS}`;
}
