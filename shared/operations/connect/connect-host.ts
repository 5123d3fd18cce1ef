import type { App } from '../../core/apps/app.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { runsOnTimer } from '../../core/domains/schedule.ts';
import type { AppId } from '../../core/ids.ts';
import { findDomainOfApp, findHostDomain, lockDomainById } from '../../store/domains/domains.ts';
import { findHoldUntilCommit } from '../../store/domains/holds.ts';
import type { Context } from '../context.ts';
import { newDomain } from '../domains/new-domain.ts';
import { recordCreation, recordTransition } from '../domains/record-transition.ts';

/**
 * Gives an app's verified white-label host a domain of its own, whose certificate and route let the edge serve the connect pages there
 * (`decisions/0049`). A domain that the app itself has at this hostname takes precedence.
 * @param app its row must be locked by the caller.
 */
export async function ensureConnectHost(tx: Context, app: App): Promise<void> {
  const { id, whitelabel_host: host } = app;
  if (host === null) return;
  const existing = await findHostDomain(tx.store, id, host);
  if (existing !== null) return reviveConnectHost(tx, existing);
  if ((await findDomainOfApp(tx.store, id, host)) !== null) return;
  if ((await findHoldUntilCommit(tx.store, host)) !== null) return;
  // The host points here by CNAME, so it counts as a subdomain even if its name looks like an apex.
  const given = { app_id: id, mode: 'host', hostname: host, is_apex: false, apex_redirect: 'none' } as const;
  await recordCreation(tx, app, newDomain(tx, given));
}

/** Recovers a host that was lost before. Except on the test timer, the host's own checks notice that its record is right again. */
async function reviveConnectHost(tx: Context, { id }: Domain): Promise<void> {
  const domain = await lockDomainById(tx.store, id);
  if (domain?.status === 'expired') await recordTransition(tx, domain, { name: 'recreate' });
  else if (domain?.status === 'dns_broken' && runsOnTimer(domain, tx.settings))
    await recordTransition(tx, domain, { name: 'dns_confirmed' });
}

/** Ends the connect pages at a host: its route, its certificate and its jobs. Pages at the service's own address stay. */
export async function dropConnectHost(tx: Context, appId: AppId, host: string): Promise<void> {
  const found = await findHostDomain(tx.store, appId, host);
  const domain = found && (await lockDomainById(tx.store, found.id));
  if (domain !== null) await recordTransition(tx, domain, { name: 'delete' });
}
