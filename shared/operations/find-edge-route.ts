import { effectivePlan } from '../core/account.ts';
import { isValid } from '../core/certificate.ts';
import type { Domain } from '../core/domain.ts';
import type { DomainId } from '../core/ids.ts';
import { findAccount } from '../store/accounts.ts';
import { getApp } from '../store/apps.ts';
import { findDomainById } from '../store/domains.ts';
import { findHold } from '../store/holds.ts';
import { findRoute } from '../store/routes.ts';
import type { Context } from './context.ts';
import { openAcceptedSecret } from './signing-secrets.ts';

/** Where a visitor's hostname leads: everything that the edge needs to forward, and nothing else. */
export interface FoundRoute {
  domain_id: string;
  app_id: string;
  hostname: string;
  /** Null leads to the sandbox origin. */
  origin: string | null;
  origin_headers: Domain['origin_headers'];
  signing_secret: string;
  redirect_to: string | null;
}

/**
 * Routing is a function of a valid certificate, the hostname's route, no hold and no deletion, never of the status itself, so
 * that a renewal, a retry or a broken record drops no visitor (`docs/domains.md`).
 */
export async function findEdgeRoute(context: Context, hostname: string): Promise<FoundRoute | 'held' | null> {
  const sandboxed = await sandboxDomain(context, hostname);
  if (sandboxed !== null) return servable(context, sandboxed, null);
  const own = await routedDomain(context, hostname);
  if (own !== null) return servable(context, own, null);
  if ((await findHold(context.store, hostname)) !== null) return 'held';
  const apex = hostname.startsWith('www.') ? await routedDomain(context, hostname.slice(4)) : null;
  return apex?.apex_redirect === 'www' ? servable(context, apex, apex.hostname) : null;
}

/** A hosted test domain answers at `<domain id>.<sandbox zone>` and nowhere else (`docs/test-mode.md`). */
async function sandboxDomain({ store, settings }: Context, hostname: string): Promise<Domain | null> {
  if (!hostname.endsWith(`.${settings.sandbox_zone}`)) return null;
  const id = hostname.slice(0, -settings.sandbox_zone.length - 1);
  const domain = await findDomainById(store, id as DomainId);
  return domain?.mode === 'test' ? domain : null;
}

async function routedDomain(context: Context, hostname: string): Promise<Domain | null> {
  const id = await findRoute(context.store, hostname);
  return id === null ? null : findDomainById(context.store, id);
}

async function servable(
  context: Context,
  domain: Domain,
  redirect_to: string | null,
): Promise<FoundRoute | 'held' | null> {
  if (domain.status === 'held') return 'held';
  const now = context.clock.now();
  if (domain.status === 'deleted' || !isValid(domain.certificate, now)) return null;
  const app = await getApp(context.store, domain.app_id);
  const account = await findAccount(context.store, app.account_id);
  // A stored origin is ignored after a downgrade (`docs/idempotency-and-rates.md`).
  const own_origin =
    account !== null && effectivePlan(account, context.settings.plans, now).per_domain_origin;
  return {
    domain_id: domain.id,
    app_id: domain.app_id,
    hostname: domain.hostname,
    origin: (own_origin ? domain.origin : null) ?? app.origin_url,
    origin_headers: domain.origin_headers,
    signing_secret: openAcceptedSecret(context, app),
    redirect_to,
  };
}
