import { inNameServerZone } from './name-server-zone.ts';

/** Returns true if all name servers of a zone belong to parking services, which serve no records that the owner adds. */
export function isParked(nameServers: readonly string[]): boolean {
  return (
    nameServers.length > 0 &&
    nameServers.every((nameServer) => PARKING_ZONES.some((zone) => inNameServerZone(nameServer, zone)))
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
