import { isIP } from 'node:net';
import { isGlobalUnicast } from './address.ts';
import { isUnder } from './hostname.ts';

/**
 * Returns the zones and hosts that are the service's own, in which no hostname, origin or webhook of a customer may be. A loopback or
 * private host is left out: the rules for addresses decide about those, and the emulator opens them.
 * @param urls addresses under which the service is found.
 * @param hosts zones, and hosts at which it listens.
 */
export function serviceZones(urls: readonly string[], hosts: readonly string[]): string[] {
  const named = [...urls.map((url) => new URL(url).hostname), ...hosts].map((host) =>
    host.toLowerCase().replace(/^\[|\]$|\.$/g, ''),
  );
  const own = [...new Set(named)].filter((host) =>
    isIP(host) === 0 ? !isUnder(host, 'localhost') : isGlobalUnicast(host),
  );
  return own.filter((host) => !own.some((other) => other !== host && isUnder(host, other)));
}
