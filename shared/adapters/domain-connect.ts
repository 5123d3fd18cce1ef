import {
  type ApplyTarget,
  applyRequest,
  applyUrl,
  dnsProviderHost,
  type OneClickOffer,
  readDnsProviderSettings,
  SETTINGS_BYTES_MAX,
  type ServiceProvider,
  templateUrl,
} from '../core/providers/domain-connect.ts';
import type { Dns, OneClick } from '../ports/dns.ts';
import type { Outbound } from '../ports/outbound.ts';

/**
 * The lookups by which we find out whether a DNS provider supports Domain Connect. If the other side fails, they return null and do not
 * throw.
 */
export interface DomainConnectLookups {
  /** Returns the TXT records of a name, with the strings of each record joined. Null if the lookup failed. */
  txt(name: string): Promise<readonly string[] | null>;
  /**
   * Sends a GET through the outbound client, which follows no redirect. Takes at most 3 s and returns the first `SETTINGS_BYTES_MAX` of the
   * body. Returns null if there is no response.
   */
  get(url: string): Promise<{ status_code: number; body: string } | null>;
}

export function createOneClick(
  service: ServiceProvider,
  { dns, outbound, userAgent }: { dns: Pick<Dns, 'txt'>; outbound: Outbound; userAgent: string },
): OneClick {
  const lookups: DomainConnectLookups = {
    async txt(name) {
      const { outcome, records } = await dns.txt(name);
      return outcome === 'unknown'
        ? null
        : records.filter(({ type }) => type === 'TXT').map(({ value }) => value);
    },
    get: domainConnectGet(outbound, userAgent),
  };
  return {
    ask: (target) => askDnsProvider(service, lookups, target),
    link(syncUxUrl, target, returnUrl) {
      const request = applyRequest(target);
      return request === null ? null : applyUrl(service, syncUxUrl, request, returnUrl);
    },
  };
}

/**
 * Asks whether the DNS provider of a zone accepts our template. If a response is unusual, the result is "not offered", because the manual
 * steps always work.
 */
export async function askDnsProvider(
  service: ServiceProvider,
  lookups: DomainConnectLookups,
  target: ApplyTarget,
): Promise<OneClickOffer> {
  const request = applyRequest(target);
  if (request === null) return NOT_OFFERED;
  const txt = await lookups.txt(`_domainconnect.${target.zone}`);
  if (txt === null) return UNKNOWN;
  const provider = dnsProviderHost(txt, service.allow);
  if (provider === null) return NOT_OFFERED;
  const answer = await lookups.get(`https://${provider.settings}/v2/${target.zone}/settings`);
  if (isUntold(answer)) return UNKNOWN;
  const settings = answer.status_code === 200 ? readDnsProviderSettings(answer.body, provider) : null;
  if (settings === null) return NOT_OFFERED;
  const template = await lookups.get(templateUrl(service, settings.api_url, request.service_id));
  if (isUntold(template)) return UNKNOWN;
  if (template.status_code !== 200) return NOT_OFFERED;
  const { provider_name } = provider;
  return { outcome: 'offered', provider_name, sync_ux_url: settings.sync_ux_url };
}

type Got = Awaited<ReturnType<DomainConnectLookups['get']>>;

/** Returns true if a response does not say whether the provider has the template, because the server failed or did not respond. */
function isUntold(answer: Got): answer is null {
  return answer === null || answer.status_code >= 500 || answer.status_code === 429;
}

const NOT_OFFERED: OneClickOffer = { outcome: 'not_offered' };
const UNKNOWN: OneClickOffer = { outcome: 'unknown' };

/** Returns `get` over the outbound client, which checks before each connection that the address is public. */
export function domainConnectGet(outbound: Outbound, userAgent: string): DomainConnectLookups['get'] {
  return async (url) => {
    const result = await outbound.send({
      method: 'GET',
      url,
      headers: { 'user-agent': userAgent, accept: 'application/json' },
      timeoutMs: DEADLINE_MS,
      maxResponseBytes: SETTINGS_BYTES_MAX,
      keepBody: true,
    });
    return result.ok ? { status_code: result.status_code, body: result.body ?? '' } : null;
  };
}

const DEADLINE_MS = 3000;
