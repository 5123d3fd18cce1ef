import { liveModeRefusal } from '../../core/accounts/account.ts';
import type { App } from '../../core/apps/app.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import type { AppId } from '../../core/ids.ts';
import type { Instant } from '../../core/instant.ts';
import { findAccount } from '../../store/accounts/accounts.ts';
import { countUse } from '../../store/accounts/rate-windows.ts';
import { findDomainOfApp, findHostDomain, lockDomainById } from '../../store/domains/domains.ts';
import { findHoldUntilCommit } from '../../store/domains/holds.ts';
import type { TxContext } from '../context.ts';
import { findCustomerAddresses } from '../domains/customer-target.ts';
import { newDomain } from '../domains/new-domain.ts';
import { recordCreation, recordTransition } from '../domains/record-transition.ts';

/**
 * Creates a domain for an app's verified white-label host, so that the edge has a certificate and a route to serve the connect pages there
 * (`decisions/0049`). A domain that the app itself added at this hostname takes precedence. The account must be allowed to have live
 * domains, because the host gets a real certificate even if a test key set the host.
 * @param app its row must be locked by the caller.
 * @returns when to try again, if the account has used up its daily limit of hosts; else null.
 */
export async function ensureConnectHost(tx: TxContext, app: App): Promise<Instant | null> {
  const { id, account_id, whitelabel_host: host } = app;
  if (host === null) return null;
  const existing = await findHostDomain(tx.store, id, host);
  if (existing !== null && existing.status !== 'expired') {
    await recoverConnectHost(tx, existing);
    return null;
  }
  if ((await findDomainOfApp(tx.store, id, host)) !== null) return null;
  if ((await findHoldUntilCommit(tx.store, host)) !== null) return null;
  const now = tx.clock.now();
  const account = await findAccount(tx.store, account_id);
  // When the account gets a card or a plan, `changeTerms` schedules another check of the host.
  if (account === null || liveModeRefusal(account, tx.settings.plans, now) !== null) return null;
  const waitMs = await countUse(tx.store, 'whitelabel_hosts', account_id, now);
  if (waitMs !== null) return now + waitMs;
  const expired = existing && (await lockDomainById(tx.store, existing.id));
  if (expired !== null) {
    await recordTransition(tx, expired, { name: 'recreate' });
    return null;
  }
  // The host points here by CNAME, so it is treated as a subdomain, even if its name looks like an apex.
  const given = { app_id: id, mode: 'host', hostname: host, is_apex: false, apex_redirect: 'none' } as const;
  const shown = { app, ...(await findCustomerAddresses(tx, app)) };
  recordCreation(tx, shown, newDomain(tx, given));
  return null;
}

/** Takes the domain of a host on the test timer out of `dns_broken`. Other hosts recover by a DNS check that finds the right record. */
async function recoverConnectHost(tx: TxContext, { id }: Domain): Promise<void> {
  const domain = await lockDomainById(tx.store, id);
  if (domain?.status === 'dns_broken' && runsOnTimer(domain, tx.settings))
    await recordTransition(tx, domain, { name: 'dns_confirmed' });
}

/**
 * Ends the connect pages at a white-label host: deletes the route, the certificate and the jobs of its domain. The pages at the service's
 * own address remain.
 */
export async function dropConnectHost(tx: TxContext, appId: AppId, host: string): Promise<void> {
  const found = await findHostDomain(tx.store, appId, host);
  const domain = found && (await lockDomainById(tx.store, found.id));
  if (domain !== null) await recordTransition(tx, domain, { name: 'delete' });
}
