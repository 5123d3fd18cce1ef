import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { DnsRecords } from '../dns/dns-records.ts';
import { isUnder } from '../domains/hostname.ts';
import type { DnsProviderHost } from './domain-connect-hosts.ts';

/**
 * Domain Connect v2, the synchronous flow: the customer follows a signed link to the DNS provider, who shows what it is about
 * to add, by a template that it has from us, and adds it (draft-ietf-dconn-domainconnect).
 */
export interface ServiceProvider {
  /** A domain of the operator, by which DNS providers know the templates: `providerId`. */
  provider_id: string;
  /** As the customer reads it at the DNS provider. */
  provider_name: string;
  /** Where DNS providers look for the public key: `syncPubKeyDomain`. */
  key_domain: string;
  /** The label of the key in it, such as `_dck1`. The next key has another one, so that both can be found for a while. */
  key_host: string;
  /** From `readSigningKey`. */
  private_key: KeyObject;
  /** The DNS providers that may be asked. */
  allow: readonly DnsProviderHost[];
}

export const TEMPLATE_IDS = ['subdomain', 'apex'] as const;
export type TemplateId = (typeof TEMPLATE_IDS)[number];

/** What one hostname asks of a DNS provider. */
export interface ApplyRequest {
  service_id: TemplateId;
  /** The zone. */
  domain: string;
  /** The name in it; null is the zone itself. */
  host: string | null;
  /** What the template leaves open. */
  variables: Readonly<Record<string, string>>;
}

export interface ApplyTarget {
  hostname: string;
  /** The zone that the hostname is in. */
  zone: string;
  dns: DnsRecords;
  edge_zone: string;
}

/**
 * The template and the variables for a hostname. Null where no template says it: outside the zone, a CNAME at the zone itself,
 * and a CNAME to a white-label host, for templates are to leave open a label and not a whole name, which a forged link could
 * point anywhere.
 */
export function applyRequest({ hostname, zone, dns, edge_zone }: ApplyTarget): ApplyRequest | null {
  if (!isUnder(hostname, zone)) return null;
  if (hostname === zone) {
    if (dns.apex === null) return null;
    const variables = { proof: dns.apex.txt.value };
    return { service_id: 'apex', domain: zone, host: null, variables };
  }
  const { value: target = '' } = dns.cname ?? {};
  const label = target.slice(0, -edge_zone.length - 1);
  if (target !== `${label}.${edge_zone}` || !/^[a-z0-9-]+$/.test(label)) return null;
  const host = hostname.slice(0, -zone.length - 1);
  return { service_id: 'subdomain', domain: zone, host, variables: { target: label } };
}

/**
 * Where the customer confirms, signed (section "Digitally Sign Requests"): RSA with SHA-256 over the query string as it is
 * sent, which `key` and `sig` are then added to.
 * @param sync_ux_url of the DNS provider's settings, no trailing slash.
 */
export function applyUrl(service: ServiceProvider, sync_ux_url: string, request: ApplyRequest): string {
  const query = applyQuery(request);
  const sig = sign('sha256', Buffer.from(query), service.private_key).toString('base64');
  const path = templatePath(service.provider_id, request.service_id);
  return `${sync_ux_url}${path}/apply?${query}&key=${encoded(service.key_host)}&sig=${encoded(sig)}`;
}

/** Where a DNS provider says whether it has a template: 200, or 404. @param api_url of its settings, no trailing slash. */
export function templateUrl(service: ServiceProvider, api_url: string, service_id: TemplateId): string {
  return `${api_url}${templatePath(service.provider_id, service_id)}`;
}

/**
 * @param pem a private key, not encrypted.
 * @throws RangeError when it is not an RSA key of 2048 bits at least: DNS providers verify RS256 only. It never repeats the key.
 */
export function readSigningKey(pem: string): KeyObject {
  const key = privateKey(pem);
  if (key?.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN)
    throw new RangeError(`must be an RSA private key in PEM, of ${RSA_BITS_MIN} bits at least`);
  return key;
}

/** The TXT records at `<key_host>.<key_domain>`: the public key in parts that fit one string of a TXT record (RFC 1035). */
export function publicKeyRecords(private_key: KeyObject): string[] {
  const der = createPublicKey(private_key).export({ type: 'spki', format: 'der' });
  const parts = der.toString('base64').match(/.{1,200}/g) ?? [];
  return parts.map((part, index) => `p=${index + 1},a=RS256,d=${part}`);
}

const RSA_BITS_MIN = 2048;

function privateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null; // It is no key, and what OpenSSL says of it helps nobody.
  }
}

/** In the order of the names, so that a hostname has one query string. */
function applyQuery({ domain, host, variables }: ApplyRequest): string {
  return Object.entries({ domain, ...(host === null ? {} : { host }), ...variables })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encoded(value)}`)
    .join('&');
}

function templatePath(provider_id: string, service_id: TemplateId): string {
  return `/v2/domainTemplates/providers/${encoded(provider_id)}/services/${service_id}`;
}

/** All but the unreserved characters of RFC 3986, so that no party spells the signed text another way. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
