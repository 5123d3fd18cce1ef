import { inNameServerZone } from './name-server-zone.ts';

/** Returns true if all name servers of a zone belong to parking services, which serve no records that the owner adds. */
export function isParked(name_servers: readonly string[]): boolean {
  return (
    name_servers.length > 0 &&
    name_servers.every((name_server) => PARKING_ZONES.some((zone) => inNameServerZone(name_server, zone)))
  );
}

/** Excludes `dns-parking.com`, where Hostinger serves live zones. */
const PARKING_ZONES: readonly string[] = [
  'above.com',
  'afternic.com',
  'bodis.com',
  'cashparking.com',
  'dan.com',
  'parkingcrew.net',
  'parklogic.com',
  'sedoparking.com',
  'undeveloped.com',
];
