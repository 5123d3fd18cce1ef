import { effectivePlan } from '../../core/accounts/account.ts';
import { type App, customerTarget } from '../../core/apps/app.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import type { Context } from '../context.ts';

/** Returns whether the plan of an app that has a white-label host includes white-label now. */
export async function hasWhitelabel({ store, settings, clock }: Context, app: App): Promise<boolean> {
  if (app.whitelabel_host === null) return false;
  const account = await findAccount(store, app.account_id);
  return account !== null && effectivePlan(account, settings.plans, clock.now()).whitelabel;
}

/** Returns the current target for the records of an app's customers. */
export async function findCustomerTarget(context: Context, app: App): Promise<string> {
  return customerTarget(app, context.settings.edgeZone, await hasWhitelabel(context, app));
}
