import { type DnsExpectation, type ExpectedApp, expectationOf } from '../../core/dns/dns-expectation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { type Claimant, isProvisional } from '../../core/domains/ownership.ts';
import type { DomainId } from '../../core/ids.ts';
import { findAppsByVerifiedHost, getApp } from '../../store/accounts/apps.ts';
import { type ClaimantFacts, findClaimants, lockClaimants } from '../../store/domains/domains-of-hostname.ts';
import { isTransaction } from '../../store/store.ts';
import type { Context } from '../context.ts';
import { hasWhitelabel } from '../domains/customer-target.ts';

/** All domains that claim a hostname. `shared/decisions/0066` describes how one of these domains becomes its owner. */
export interface HostnameClaims {
  /** Sorted by id. */
  claimants: readonly HostnameClaim[];
  /** The claimant that has the hostname's route; null if there is no route or if the route is provisional. */
  holder: HostnameClaim | null;
}

export interface HostnameClaim extends Claimant, ClaimantFacts {}

/**
 * Returns the domains that can get the hostname of the given domain, and the records that each of them expects. Within a transaction, it
 * first locks these domains in the order of their ids, so that only one transaction at a time gives the hostname to a domain.
 * @returns no claimants if the domain itself cannot have the hostname, because it is deleted or a test domain.
 */
export async function readClaims(context: Context, id: DomainId): Promise<HostnameClaims> {
  const { store } = context;
  const facts = await (isTransaction(store) ? lockClaimants(store, id) : findClaimants(store, id));
  const own = facts.find(({ domain }) => domain.id === id);
  if (own === undefined) return { claimants: [], holder: null };
  const {
    owner_id: ownerId,
    domain: { hostname },
  } = own;
  const claimants: HostnameClaim[] = [];
  for (const each of facts) {
    const { domain, app } = each;
    const isWww = domain.hostname !== hostname;
    const isHolder = domain.id === ownerId && (isWww || !isProvisional(domain));
    const otherProofs = facts.flatMap(({ domain: { id, txt_value, hostname: name } }) =>
      id === domain.id || name !== hostname ? [] : [txt_value],
    );
    const expectation = isWww
      ? await wwwExpectation(context, app, domain, hostname)
      : await expectedOf(context, app, domain, { hasRoute: isHolder, otherProofs });
    claimants.push({ ...each, account_id: app.account_id, isWww, expectation });
  }
  const holder = claimants.find(
    ({ domain, isWww }) => domain.id === ownerId && (isWww || !isProvisional(domain)),
  );
  return { claimants, holder: holder ?? null };
}

/**
 * Returns the records that the `www.` name of an apex must have. The apex has proven ownership, so the `www.` name needs no TXT record of
 * its own.
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
  app: ExpectedApp,
  domain: Domain,
  www: string,
): Promise<DnsExpectation> {
  const name = { ...domain, hostname: www, is_apex: false };
  const expected = await expectedOf(context, app, name, { hasRoute: true, otherProofs: [] });
  return { ...expected, txtRequired: false };
}

async function expectedOf(
  context: Context,
  app: ExpectedApp,
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

/** Returns whether another app of the same account has verified the app's white-label host since the host broke. */
async function isHostLost({ store }: Context, app: ExpectedApp): Promise<boolean> {
  if (app.whitelabel_host === null || app.whitelabel_grace_ends_at === null) return false;
  const holders = await findAppsByVerifiedHost(store, app.whitelabel_host);
  return holders.some(({ id, account_id }) => id !== app.id && account_id === app.account_id);
}
