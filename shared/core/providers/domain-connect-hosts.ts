/** A DNS provider with Domain Connect: the only hosts that discovery asks, and the only ones a customer is sent to. */
export interface DnsProviderHost {
  /** As the provider writes itself. */
  provider_name: string;
  /** What its TXT records at `_domainconnect` say: a host, a path where it has one. */
  settings: string;
  /** Hosts that its settings may name; a port other than 443 stands with them. */
  hosts: readonly string[];
}

/** Whoever owns a zone writes its TXT record, so this list is what keeps discovery from being sent into our own network. */
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

/** The provider that one of a zone's TXT records names, to the letter; null where none is on the list. */
export function dnsProviderHost(
  txt: readonly string[],
  allow: readonly DnsProviderHost[],
): DnsProviderHost | null {
  return allow.find(({ settings }) => txt.includes(settings)) ?? null;
}

/** What we need of a provider's settings; both without a trailing slash. */
export interface DnsProviderSettings {
  sync_ux_url: string;
  api_url: string;
}

/** Longer answers are refused. */
export const SETTINGS_BYTES_MAX = 16 * 1024;

/**
 * Reads the settings of a DNS provider as what a stranger wrote: both addresses must be plain HTTPS at one of its hosts.
 * @returns null for anything else, and where the provider has no synchronous flow.
 */
export function readDnsProviderSettings(body: string, provider: DnsProviderHost): DnsProviderSettings | null {
  if (Buffer.byteLength(body) > SETTINGS_BYTES_MAX) return null;
  const document = parsed(body);
  if (typeof document !== 'object' || document === null) return null;
  const { urlSyncUX, urlAPI } = document as Record<string, unknown>;
  const sync_ux_url = addressAt(urlSyncUX, provider.hosts);
  const api_url = addressAt(urlAPI, provider.hosts);
  return sync_ux_url === null || api_url === null ? null : { sync_ux_url, api_url };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // It is no JSON: no settings.
  }
}

/** Built anew from its parts, so that nothing but an origin and a path gets through. */
function addressAt(value: unknown, hosts: readonly string[]): string | null {
  if (typeof value !== 'string' || value.length > 1000) return null;
  const url = URL.parse(value);
  if (url === null || url.protocol !== 'https:' || !hosts.includes(url.host)) return null;
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
