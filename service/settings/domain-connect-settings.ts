import { DNS_PROVIDER_HOSTS, type ServiceProvider } from '../../shared/core/providers/domain-connect.ts';
import type { Environment } from './environment.ts';

/** Returns our identity for Domain Connect; null if the settings have none. */
export function domainConnectSettings(env: Environment): ServiceProvider | null {
  const { NAMEPLATE_DOMAIN_CONNECT_ID: providerId, NAMEPLATE_DOMAIN_CONNECT_KEY_FILE: privateKey } = env;
  if (providerId === undefined || privateKey === undefined) return null;
  return {
    provider_id: providerId,
    provider_name: env.NAMEPLATE_SERVICE_NAME,
    key_domain: env.NAMEPLATE_DOMAIN_CONNECT_KEY_DOMAIN ?? providerId,
    keyHost: env.NAMEPLATE_DOMAIN_CONNECT_KEY_HOST,
    private_key: privateKey,
    allow: DNS_PROVIDER_HOSTS,
  };
}
