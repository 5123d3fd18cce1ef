import type { DomainResource } from '../schema/domain.ts';
import { getApp } from '../store/apps.ts';
import { findDomainByConnectToken } from '../store/domains.ts';
import type { Context } from './context.ts';
import { presentDomain } from './present-domain.ts';

/** What the connect page shows: the domain, and the name of the app that it is being connected to. */
export interface ConnectDomain {
  app_name: string;
  domain: DomainResource;
}

/** By the page's own 128-bit token, never by the domain's id; deleted ones included, whose page says so. */
export async function getConnectDomain(context: Context, token: string): Promise<ConnectDomain | null> {
  const domain = await findDomainByConnectToken(context.store, token);
  if (domain === null) return null;
  const app = await getApp(context.store, domain.app_id);
  return { app_name: app.name, domain: presentDomain(context, app, domain) };
}
