import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { addressAllowed } from '../../shared/core/net/address.ts';

/**
 * Decides which URLs in a CA's responses we may request. All URLs must use HTTPS. The directory's host is always allowed, even with a
 * private address, because the operator configured it. Every other host must resolve to public addresses only.
 */
export interface AcmeHosts {
  /** Returns the reason why we must not request a URL, or null if we may. `lookup` checks the addresses of a hostname later. */
  refusal(url: string): string | null;
  /** Resolves a host for a connection, and fails if an address is not allowed. */
  lookup: LookupFunction;
}

export function acmeHosts(directoryUrl: string): AcmeHosts {
  const own = hostOf(new URL(directoryUrl));
  const refused = (host: string, addresses: readonly string[]): string | null => {
    const address = addresses.find((each) => !addressAllowed(each, { allowLoopback: false }));
    return host === own || address === undefined
      ? null
      : `${host} resolves to ${address}, which is not a public address`;
  };
  return {
    refusal(text) {
      const url = URL.parse(text);
      if (url?.protocol !== 'https:') return `${text} does not use https`;
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
