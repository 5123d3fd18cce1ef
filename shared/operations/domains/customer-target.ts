import { effectivePlan, onTrial } from '../../core/accounts/account.ts';
import { type AddressingApp, type App, type CustomerTargets, cnameTarget } from '../../core/apps/app.ts';
import { isValid } from '../../core/certificates/certificate.ts';
import type { Status } from '../../core/domains/status.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import type { Settings } from '../../core/settings.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { findHostDomain } from '../../store/domains/domains.ts';
import type { Context } from '../context.ts';

export interface WhitelabelInclusion {
  included: boolean;
  /** The end of the trial, if only the trial includes white-label. Null if the plan includes it, or if the trial does not. */
  ends_at: Instant | null;
}

/** Returns whether the plan of an app includes white-label now. */
export async function whitelabelInclusion(
  { store, settings, clock }: Context,
  app: Pick<App, 'account_id'>,
): Promise<WhitelabelInclusion> {
  const now = clock.now();
  const account = await findAccount(store, app.account_id);
  if (account === null) return { included: false, ends_at: null };
  const { whitelabel } = effectivePlan(account, settings.plans, now);
  const passes = whitelabel && onTrial(account, now) && !settings.plans[account.plan].whitelabel;
  return { included: whitelabel, ends_at: passes ? account.trial_ends_at : null };
}

/** Returns whether the plan of an app that has a white-label host includes white-label now. */
export async function hasWhitelabel(context: Context, app: AddressingApp): Promise<boolean> {
  return app.whitelabel_host !== null && (await whitelabelInclusion(context, app)).included;
}

/** The addresses that an app gives its customers: the targets of their records, and the address of their connect pages. */
export interface CustomerAddresses extends CustomerTargets {
  /** The base URL of the connect pages, to which `/connect/…` is appended. */
  connectBase: string;
}

/**
 * Returns the current addresses for an app's customers. The connect pages are at the app's white-label host while the host is verified and
 * the edge serves it. Otherwise they are at the service's own address.
 */
export async function findCustomerAddresses(
  context: Context,
  app: AddressingApp,
): Promise<CustomerAddresses> {
  const { settings } = context;
  const ownTarget = cnameTarget(app, settings.edgeZone);
  const host = app.whitelabel_verified && (await hasWhitelabel(context, app)) ? app.whitelabel_host : null;
  const isServed = host !== null && (await isHostServed(context, app.id, host));
  return { ownTarget, host, connectBase: isServed ? hostUrl(settings, host) : settings.baseUrl };
}

/** Returns the URL of a white-label host at the edge. */
export function hostUrl({ hostUrl: pattern }: Pick<Settings, 'hostUrl'>, host: string): string {
  return pattern.replace('{host}', host);
}

async function isHostServed({ store, clock }: Context, appId: AppId, host: string): Promise<boolean> {
  const domain = await findHostDomain(store, appId, host);
  return domain !== null && SERVED.has(domain.status) && isValid(domain.certificate, clock.now());
}

/** The statuses in which the record of the host's domain points to the edge. */
const SERVED: ReadonlySet<Status> = new Set(['issuing', 'active', 'cert_failed']);
