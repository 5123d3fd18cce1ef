/** A DNS provider that supports Domain Connect. Discovery asks only the hosts listed here, and customers are sent only to them. */
export interface DnsProviderHost {
  /** The provider's own spelling of its name. */
  provider_name: string;
  /** The value of the provider's TXT records at `_domainconnect`: a host, and a path if there is one. */
  settings: string;
  /** Hosts that the provider's settings may contain, with the port if it is not 443. */
  hosts: readonly string[];
}

/** Discovery contacts no other host. The owner of a zone controls its TXT record, which could otherwise point into our own network. */
export const DNS_PROVIDER_HOSTS: readonly DnsProviderHost[] = [
  {
    provider_name: 'Cloudflare',
    settings: 'api.cloudflare.com/client/v4/dns/domainconnect',
    hosts: ['api.cloudflare.com', 'dash.cloudflare.com'],
  },
  {
    provider_name: 'GoDaddy',
    settings: 'domainconnect.api.godaddy.com',
    hosts: ['domainconnect.api.godaddy.com', 'dcc.godaddy.com'],
  },
  {
    provider_name: 'IONOS',
    settings: 'api.domainconnect.ionos.com',
    hosts: ['api.domainconnect.ionos.com', 'domainconnect.ionos.com'],
  },
  {
    provider_name: 'IONOS',
    settings: 'api.domainconnect.1and1.com',
    hosts: [
      'api.domainconnect.1and1.com',
      'domainconnect.1and1.com',
      'api.domainconnect.ionos.com',
      'domainconnect.ionos.com',
    ],
  },
  {
    provider_name: 'Squarespace',
    settings: 'domains.squarespace.com',
    hosts: ['domains.squarespace.com'],
  },
  {
    provider_name: 'Vercel',
    settings: 'domainconnect.vercel.com',
    hosts: ['domainconnect.vercel.com', 'vercel.com'],
  },
];

/** Returns the provider whose `settings` value exactly equals one of a zone's TXT records; null if none does. */
export function dnsProviderHost(
  txt: readonly string[],
  allow: readonly DnsProviderHost[],
): DnsProviderHost | null {
  return allow.find(({ settings }) => txt.includes(settings)) ?? null;
}

/** The URLs that we need from a provider's settings, without a trailing slash. */
export interface DnsProviderSettings {
  sync_ux_url: string;
  api_url: string;
}

/** Maximum size of a settings document. Larger ones are refused. */
export const SETTINGS_BYTES_MAX = 16 * 1024;

/**
 * Parses the settings of a DNS provider as untrusted input: both URLs must be plain HTTPS URLs at one of its hosts.
 * @returns null if they are not, or if the provider has no synchronous flow.
 */
export function readDnsProviderSettings(body: string, provider: DnsProviderHost): DnsProviderSettings | null {
  if (Buffer.byteLength(body) > SETTINGS_BYTES_MAX) return null;
  const document = parsed(body);
  if (typeof document !== 'object' || document === null) return null;
  const { urlSyncUX, urlAPI } = document as Record<string, unknown>;
  const syncUxUrl = addressAt(urlSyncUX, provider.hosts);
  const apiUrl = addressAt(urlAPI, provider.hosts);
  return syncUxUrl === null || apiUrl === null ? null : { sync_ux_url: syncUxUrl, api_url: apiUrl };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // Not JSON.
  }
}

/** Rebuilds the URL from its parts, so that only an origin and a path get through. */
function addressAt(value: unknown, hosts: readonly string[]): string | null {
  if (typeof value !== 'string' || value.length > 1000) return null;
  const url = URL.parse(value);
  if (url === null || url.protocol !== 'https:' || !hosts.includes(url.host)) return null;
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
