import { effectivePlan, onTrial } from '../../core/accounts/account.ts';
import { type App, customerTarget } from '../../core/apps/app.ts';
import type { Instant } from '../../core/instant.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { Context } from '../context.ts';

export interface WhitelabelInclusion {
  included: boolean;
  /** The end of the trial, if only the trial includes white-label. Null if the plan includes it, or if nothing does. */
  ends_at: Instant | null;
}

/** Returns whether the plan of an app includes white-label now. */
export async function whitelabelInclusion(
  { store, settings, clock }: Context,
  app: App,
): Promise<WhitelabelInclusion> {
  const now = clock.now();
  const account = await findAccount(store, app.account_id);
  if (account === null) return { included: false, ends_at: null };
  const { whitelabel } = effectivePlan(account, settings.plans, now);
  const passes = whitelabel && onTrial(account, now) && !settings.plans[account.plan].whitelabel;
  return { included: whitelabel, ends_at: passes ? account.trial_ends_at : null };
}

/** Returns whether the plan of an app that has a white-label host includes white-label now. */
export async function hasWhitelabel(context: Context, app: App): Promise<boolean> {
  return app.whitelabel_host !== null && (await whitelabelInclusion(context, app)).included;
}

/** Returns the current target for the records of an app's customers. */
export async function findCustomerTarget(context: Context, app: App): Promise<string> {
  return customerTarget(app, context.settings.edgeZone, await hasWhitelabel(context, app));
}
