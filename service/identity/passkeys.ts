import type { PasskeySite } from '../../shared/core/accounts/passkey.ts';
import { loadOnce } from '../../shared/core/load-once.ts';
import type { Passkeys } from '../../shared/ports/passkeys.ts';

/** Creates the passkeys of a site. The library is imported with the first request, because most nodes never need it. */
export function createPasskeys(site: PasskeySite, serviceName: string): Passkeys {
  const loading = loadOnce(async () => (await import('./web-authn.ts')).createWebAuthn(site, serviceName));
  return {
    creationOptions: async (...request) => (await loading.get()).creationOptions(...request),
    requestOptions: async (...request) => (await loading.get()).requestOptions(...request),
    verifyCreation: async (...response) => (await loading.get()).verifyCreation(...response),
    verifySignature: async (...response) => (await loading.get()).verifySignature(...response),
  };
}
