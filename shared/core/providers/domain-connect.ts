import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { DnsRecords } from '../dns/dns-records.ts';
import { isUnder } from '../domains/hostname.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '../instant.ts';

/**
 * The operator's settings for Domain Connect v2 (synchronous flow). The customer follows a signed link to the DNS provider. The provider
 * shows the records of our template, and adds them if the customer agrees (draft-ietf-dconn-domainconnect).
 */
export interface ServiceProvider {
  /** A domain of the operator that identifies the templates to DNS providers: `providerId`. */
  provider_id: string;
  /** Name that the DNS provider shows to the customer. */
  provider_name: string;
  /** Domain in which DNS providers look up the public key: `syncPubKeyDomain`. */
  key_domain: string;
  /** Label of the key in that domain, such as `_dck1`. A new key gets a new label, so that both can be published for a while. */
  keyHost: string;
  /** The key that `readSigningKey` returns. */
  private_key: KeyObject;
  /** DNS providers that we may ask whether they accept our templates. */
  allow: readonly DnsProviderHost[];
}

export const TEMPLATE_IDS = ['subdomain', 'apex'] as const;
export type TemplateId = (typeof TEMPLATE_IDS)[number];

/** The records that a DNS provider is asked to add for one hostname. */
export interface ApplyRequest {
  service_id: TemplateId;
  /** The name of the zone. */
  domain: string;
  /** The name in the zone; null for the zone itself. */
  host: string | null;
  /** Values of the template's variables. */
  variables: Readonly<Record<string, string>>;
}

export interface ApplyTarget {
  hostname: string;
  /** The zone that the hostname is in. */
  zone: string;
  dns: DnsRecords;
  edgeZone: string;
}

/**
 * Returns the template and the variables for a hostname. Returns null if no template fits: the hostname is outside the zone, needs a CNAME
 * at the zone itself, or needs a CNAME to a white-label host. A template for a white-label host would need a whole name as its variable, so
 * that a forged link could point the record anywhere.
 */
export function applyRequest({ hostname, zone, dns, edgeZone }: ApplyTarget): ApplyRequest | null {
  if (!isUnder(hostname, zone)) return null;
  if (hostname === zone) {
    if (dns.apex === null) return null;
    const variables = { proof: dns.apex.txt.value };
    return { service_id: 'apex', domain: zone, host: null, variables };
  }
  const { value: target = '' } = dns.cname ?? {};
  const label = target.slice(0, -edgeZone.length - 1);
  if (target !== `${label}.${edgeZone}` || !/^[a-z0-9-]+$/.test(label)) return null;
  const host = hostname.slice(0, -zone.length - 1);
  return { service_id: 'subdomain', domain: zone, host, variables: { target: label } };
}

/**
 * Returns the signed URL at which the customer confirms (section "Digitally Sign Requests"). The signature is RSA with SHA-256 over the
 * query string as it is sent, without `key` and `sig`, which are appended.
 * @param returnUrl the page to which the DNS provider sends the customer back (`redirect_uri`). With a signature, DNS providers accept any
 * page.
 * @param syncUxUrl from the DNS provider's settings, no trailing slash.
 */
export function applyUrl(
  service: ServiceProvider,
  syncUxUrl: string,
  request: ApplyRequest,
  returnUrl: string,
): string {
  const query = applyQuery(request, returnUrl);
  const sig = sign('sha256', Buffer.from(query), service.private_key).toString('base64');
  const path = templatePath(service.provider_id, request.service_id);
  return `${syncUxUrl}${path}/apply?${query}&key=${encoded(service.keyHost)}&sig=${encoded(sig)}`;
}

/**
 * Returns the URL at which a DNS provider responds with 200 if it has a template, else 404.
 * @param apiUrl from the provider's settings, no trailing slash.
 */
export function templateUrl(service: ServiceProvider, apiUrl: string, serviceId: TemplateId): string {
  return `${apiUrl}${templatePath(service.provider_id, serviceId)}`;
}

/**
 * Parses the key that signs links.
 * @param pem a private key, not encrypted.
 * @throws RangeError if the text is not an RSA key of at least 2048 bits: DNS providers verify only RS256. The message never contains the
 * key.
 */
export function readSigningKey(pem: string): KeyObject {
  const key = privateKey(pem);
  if (key?.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN)
    throw new RangeError(`must be an RSA private key in PEM, of at least ${RSA_BITS_MIN} bits`);
  return key;
}

/** Returns the TXT records at `<keyHost>.<key_domain>`: the public key in parts that fit one string of a TXT record (RFC 1035). */
export function publicKeyRecords(privateKey: KeyObject): string[] {
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const parts = der.toString('base64').match(/.{1,200}/g) ?? [];
  return parts.map((part, index) => `p=${index + 1},a=RS256,d=${part}`);
}

const RSA_BITS_MIN = 2048;

function privateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null; // Not a key. OpenSSL's message would not help, and the caller has a better one.
  }
}

/** Builds the query string in alphabetical order, so that the same request always has the same query string. */
function applyQuery({ domain, host, variables }: ApplyRequest, returnUrl: string): string {
  return Object.entries({ domain, ...(host === null ? {} : { host }), redirect_uri: returnUrl, ...variables })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
}

function templatePath(providerId: string, serviceId: TemplateId): string {
  return `/v2/domainTemplates/providers/${encoded(providerId)}/services/${serviceId}`;
}

/** Escapes everything but the unreserved characters of RFC 3986, so that both sides sign the same text. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Whether a zone's DNS provider can set the records itself (Domain Connect). The offer contains no link, because a link is signed only when
 * a page shows it.
 */
export type OneClickOffer =
  | { outcome: 'offered'; provider_name: string; sync_ux_url: string }
  | { outcome: 'not_offered' }
  /** A server failed or did not respond in time. */
  | { outcome: 'unknown' };

/** The last known offer for a zone, and the time of the request. */
export type OneClickAnswer = OneClickOffer & { zone: string; askedAt: Instant };

/**
 * Returns true if the provider should be asked again: for a new zone, 10 minutes after an unknown result, and a day after any other result.
 */
export function isOneClickDue(known: OneClickAnswer | null, zone: string, now: Instant): boolean {
  if (known === null || known.zone !== zone) return true;
  return now - known.askedAt >= (known.outcome === 'unknown' ? 10 * MINUTE_MS : DAY_MS);
}

/** A DNS provider that supports Domain Connect. We request settings only from the hosts listed here, and send customers only to them. */
export interface DnsProviderHost {
  /** The provider's own spelling of its name. */
  provider_name: string;
  /** The value of the provider's TXT records at `_domainconnect`: a host, and a path if there is one. */
  settings: string;
  /** Hosts that the provider's settings may contain, with the port if it is not 443. */
  hosts: readonly string[];
}

/**
 * The DNS providers that we contact for Domain Connect. The owner of a zone controls its TXT record, which could otherwise make us send
 * requests into our own network.
 */
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

/** Returns the provider whose `settings` value exactly equals one of a zone's TXT records; null if no provider matches. */
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

/** Maximum size of a settings document. Larger documents are refused. */
export const SETTINGS_BYTES_MAX = 16 * 1024;

/**
 * Parses the settings of a DNS provider as untrusted input: both URLs must be plain HTTPS URLs at one of the provider's hosts.
 * @returns null if a URL is not allowed, or if the provider has no synchronous flow.
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

/** Returns a URL from a provider's settings with only its origin and path; null if the URL is not allowed. */
function addressAt(value: unknown, hosts: readonly string[]): string | null {
  if (typeof value !== 'string' || value.length > 1000) return null;
  const url = URL.parse(value);
  if (url === null || url.protocol !== 'https:' || !hosts.includes(url.host)) return null;
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') return null;
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
