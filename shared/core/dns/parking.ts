import { inNameServerZone } from './name-server-zone.ts';

/** Returns true if all name servers of a zone belong to parking services, which ignore the records that the owner adds. */
export function isParked(nameServers: readonly string[]): boolean {
  return (
    nameServers.length > 0 &&
    nameServers.every((nameServer) => PARKING_ZONES.some((zone) => inNameServerZone(nameServer, zone)))
  );
}

/** `dns-parking.com` is left out, because Hostinger serves live zones there. */
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
