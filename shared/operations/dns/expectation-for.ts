import type { App } from '../../core/apps/app.ts';
import { type DnsExpectation, expectationOf } from '../../core/dns/dns-expectation.ts';
import type { Domain } from '../../core/domains/domain.ts';
import { isPrepared } from '../../core/domains/preparation.ts';
import { findAppsByVerifiedHost, getApp } from '../../store/accounts/apps.ts';
import { findCertificateOrder } from '../../store/certificates/certificate-orders.ts';
import { findRouteOwner } from '../../store/domains/routes.ts';
import type { Context } from '../context.ts';
import { hasWhitelabel } from '../domains/customer-target.ts';

/** Returns the DNS records that a domain needs, given its app's targets and whether it has the hostname's route. */
export async function expectationFor(context: Context, domain: Domain): Promise<DnsExpectation> {
  const { store, settings, clock } = context;
  const app = await getApp(store, domain.app_id);
  return expectationOf(domain, app, settings, {
    hasRoute: (await findRouteOwner(store, domain.hostname)) === domain.id,
    hostLost: await isHostLost(context, app),
    isDelegated: await wasDelegated(context, domain),
    hasWhitelabel: await hasWhitelabel(context, app),
    now: clock.now(),
  });
}

async function isHostLost({ store }: Context, app: App): Promise<boolean> {
  if (app.whitelabel_host === null || app.whitelabel_grace_ends_at === null) return false;
  const holders = await findAppsByVerifiedHost(store, app.whitelabel_host);
  return holders.some(({ id }) => id !== app.id);
}

/** Returns whether the certificate of a waiting domain was validated by DNS-01. A redirect by the old host proves no ownership. */
async function wasDelegated({ store, clock }: Context, domain: Domain): Promise<boolean> {
  if (!isPrepared(domain, clock.now())) return false;
  return (await findCertificateOrder(store, domain.id))?.methods.includes('dns-01') ?? false;
}
