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
 * Gives an app's verified white-label host a domain of its own, whose certificate and route let the edge serve the connect pages there
 * (`decisions/0049`). A domain that the app itself has at this hostname takes precedence.
 * The account needs what it needs for a live domain, because the certificate is a real one, whichever key set the host.
 * @param app its row must be locked by the caller.
 * @returns when to try again, if the account has had its hosts of the day; else null.
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
  // `changeTerms` checks the host again when the account has a card or a plan.
  if (account === null || liveModeRefusal(account, tx.settings.plans, now) !== null) return null;
  const waitMs = await countUse(tx.store, 'whitelabel_hosts', account_id, now);
  if (waitMs !== null) return now + waitMs;
  const expired = existing && (await lockDomainById(tx.store, existing.id));
  if (expired !== null) {
    await recordTransition(tx, expired, { name: 'recreate' });
    return null;
  }
  // The host points here by CNAME, so it counts as a subdomain even if its name looks like an apex.
  const given = { app_id: id, mode: 'host', hostname: host, is_apex: false, apex_redirect: 'none' } as const;
  const shown = { app, ...(await findCustomerAddresses(tx, app)) };
  recordCreation(tx, shown, newDomain(tx, given));
  return null;
}

/** Recovers a lost host on the test timer. Elsewhere, the host's own checks notice that its record is right again. */
async function recoverConnectHost(tx: TxContext, { id }: Domain): Promise<void> {
  const domain = await lockDomainById(tx.store, id);
  if (domain?.status === 'dns_broken' && runsOnTimer(domain, tx.settings))
    await recordTransition(tx, domain, { name: 'dns_confirmed' });
}

/** Ends the connect pages at a host: its route, its certificate and its jobs. Pages at the service's own address stay. */
export async function dropConnectHost(tx: TxContext, appId: AppId, host: string): Promise<void> {
  const found = await findHostDomain(tx.store, appId, host);
  const domain = found && (await lockDomainById(tx.store, found.id));
  if (domain !== null) await recordTransition(tx, domain, { name: 'delete' });
}
