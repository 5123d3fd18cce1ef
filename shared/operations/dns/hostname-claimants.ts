import type { App } from '../../core/apps/app.ts';
import { type DnsExpectation, expectationOf } from '../../core/dns/dns-expectation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { type Claimant, isProvisional } from '../../core/domains/ownership.ts';
import { findAppsByVerifiedHost, getApp, getApps } from '../../store/accounts/apps.ts';
import { findClaimants } from '../../store/domains/domains-of-hostname.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { hasWhitelabel } from '../domains/customer-target.ts';

/** The domains of a hostname, as the rules of ownership see them (`shared/decisions/0066`). */
export interface HostnameClaims {
  /** Sorted by id. */
  claimants: readonly Claimant[];
  /** The claimant that has the hostname's route, unless the route is provisional. */
  holder: Claimant | null;
}

/**
 * Reads the domains that can hold a hostname, and the records that each of them expects. Within a transaction it locks the domains, in the
 * order of their ids, so that only one transaction at a time gives the hostname to a domain.
 */
export async function readClaims(context: Context, hostname: string): Promise<HostnameClaims> {
  const { store } = context;
  const domains = await findClaimants(store, hostname);
  const ownerId = await findRouteOwner(store, hostname);
  const apps = await getApps(
    store,
    domains.map(({ app_id }) => app_id),
  );
  const claimants: Claimant[] = [];
  for (const domain of domains) {
    const app = apps.get(domain.app_id);
    if (app === undefined) throw new TypeError(`${domain.id} has no app`);
    const isWww = domain.hostname !== hostname;
    const isHolder = domain.id === ownerId && (isWww || !isProvisional(domain));
    const otherProofs = domains.flatMap(({ id, txt_value, hostname: name }) =>
      id === domain.id || name !== hostname ? [] : [txt_value],
    );
    const expectation = isWww
      ? await wwwExpectation(context, app, domain, hostname)
      : await expectedOf(context, app, domain, { hasRoute: isHolder, otherProofs });
    claimants.push({ domain, account_id: app.account_id, isWww, expectation });
  }
  const holder = claimants.find(
    ({ domain, isWww }) => domain.id === ownerId && (isWww || !isProvisional(domain)),
  );
  return { claimants, holder: holder ?? null };
}

/**
 * Returns the records that the `www.` name of an apex must have. The apex has proven ownership, so the name needs no TXT record of its own.
 */
export async function expectationOfWww(
  context: Context,
  domain: Domain,
  www: string,
): Promise<DnsExpectation> {
  return wwwExpectation(context, await getApp(context.store, domain.app_id), domain, www);
}

async function wwwExpectation(
  context: Context,
  app: App,
  domain: Domain,
  www: string,
): Promise<DnsExpectation> {
  const name = { ...domain, hostname: www, is_apex: false };
  const expected = await expectedOf(context, app, name, { hasRoute: true, otherProofs: [] });
  return { ...expected, txtRequired: false };
}

async function expectedOf(
  context: Context,
  app: App,
  domain: Domain,
  facts: { hasRoute: boolean; otherProofs: readonly string[] },
): Promise<DnsExpectation> {
  return expectationOf(domain, app, context.settings, {
    ...facts,
    hostLost: await isHostLost(context, app),
    hasWhitelabel: await hasWhitelabel(context, app),
    now: context.clock.now(),
  });
}

/** Returns whether another app of the same account has verified the app's white-label host since it broke. */
async function isHostLost({ store }: Context, app: App): Promise<boolean> {
  if (app.whitelabel_host === null || app.whitelabel_grace_ends_at === null) return false;
  const holders = await findAppsByVerifiedHost(store, app.whitelabel_host);
  return holders.some(({ id, account_id }) => id !== app.id && account_id === app.account_id);
}
