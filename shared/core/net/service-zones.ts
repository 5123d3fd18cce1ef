import { isIP } from 'node:net';
import { isUnder } from '../domains/hostname.ts';
import { isGlobalUnicast } from './address.ts';

/**
 * Returns the service's own zones and hosts, which no hostname, origin or webhook of a customer may use. Leaves out loopback and private
 * hosts, because the rules for addresses decide about them.
 * @param urls URLs of the service.
 * @param hosts zones, and hosts where the service listens.
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

/**
 * Returns the zone that contains the names of delegated challenges. The zone is within the edge zone. Labels of apps are longer than
 * `acme`, so no app can have this label.
 */
export function challengeZoneOf(edgeZone: string): string {
  return `acme.${edgeZone}`;
}
