import { loadOnce } from '../../shared/core/load-once.ts';
import type { IdentityProvider } from '../../shared/ports/accounts.ts';
import type { Log } from '../../shared/ports/system.ts';
import type { OidcSettings } from '../settings/oidc-settings.ts';

/** Creates the identity provider of the settings. */
export function createIdentityProvider(settings: OidcSettings, log: Log): IdentityProvider {
  // Lazy: most nodes never need the library of OpenID.
  const loading = loadOnce(async () =>
    (await import('./openid-provider.ts')).createOpenIdProvider(settings, log),
  );
  return {
    name: settings.name,
    mailDomains: settings.mailDomains,
    authorizationUrl: async (...request) => (await loading.get()).authorizationUrl(...request),
    readIdentity: async (...callback) => (await loading.get()).readIdentity(...callback),
  };
}
