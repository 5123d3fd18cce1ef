import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressAllowed } from '../../shared/core/edge/address.ts';

/**
 * Where the answers of a certificate authority may lead us, by HTTPS: to the host of its directory, which the operator has named and which
 * may be a private one, and to any other whose addresses are all public.
 */
export interface AcmeHosts {
  /** Why a URL is not asked; null where it may be. A name is looked at when it is resolved. */
  refusal(url: string): string | null;
  /** Resolves for a connection: what it gives has been checked. */
  lookup: LookupFunction;
}

export function acmeHosts(directory_url: string): AcmeHosts {
  const own = hostOf(new URL(directory_url));
  const refused = (host: string, addresses: readonly string[]): string | null => {
    const address = addresses.find((each) => !addressAllowed(each, { allow_loopback: false }));
    return host === own || address === undefined ? null : `${host} leads to ${address}, which is refused`;
  };
  return {
    refusal(text) {
      const url = URL.parse(text);
      if (url?.protocol !== 'https:') return `${text} is not https`;
      const host = hostOf(url);
      return isIP(host) ? refused(host, [host]) : null;
    },
    lookup(hostname, options, callback) {
      lookup(hostname, options, (error, found, family) => {
        const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
        const refusal = refused(hostname, addresses);
        if (refusal === null) callback(error, found, family);
        else callback(new Error(refusal), '');
      });
    },
  };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
