import { type BudgetNameOf, refusalOf } from '../core/budgets.ts';
import { ServiceError } from '../core/errors.ts';
import { countUse } from '../store/accounts/rate-windows.ts';
import type { Context } from './context.ts';

/**
 * Counts one use of a rate limit of `BUDGETS` by a party, such as an account.
 * @param more number of uses that this party is allowed beyond the limit of the budget.
 * @throws ServiceError `rate_limited`, with the seconds to wait.
 */
export async function spend(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  name: BudgetNameOf<'window'>,
  party: string,
  more = 0,
): Promise<void> {
  refuseWhile(name, await countUse(store, name, party, clock.now(), more));
}

/** @param waitMs null if the limit is not reached. @throws ServiceError `rate_limited`. */
export function refuseWhile(name: BudgetNameOf<'window' | 'shared'>, waitMs: number | null): void {
  if (waitMs === null) return;
  throw new ServiceError('rate_limited', {
    message: refusalOf(name),
    retry_after_s: Math.ceil(waitMs / 1000),
  });
}
