import type { DomainId } from '../../core/ids.ts';
import { getApp } from '../../store/accounts/apps.ts';
import { findDomainById } from '../../store/domains/domains.ts';
import type { Context } from '../context.ts';
import { openSigningSecrets } from '../events/signing-secrets.ts';

/** Returns the values that the sandbox origin verifies and hides for a domain, or null if there is no such domain. */
export async function findSandboxDomain(context: Context, domainId: string) {
  const domain = await findDomainById(context.store, domainId as DomainId);
  if (domain === null) return null;
  return {
    signingSecrets: openSigningSecrets(context, await getApp(context.store, domain.app_id)),
    originHeaderNames: Object.keys(domain.origin_headers ?? {}),
  };
}
