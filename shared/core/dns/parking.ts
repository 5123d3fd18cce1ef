import { inNameServerZone } from './name-server-zone.ts';

/** Whether all the name servers of a zone are those of parking services: nothing that its owner adds is ever served. */
export function isParked(name_servers: readonly string[]): boolean {
  return (
    name_servers.length > 0 &&
    name_servers.every((name_server) => PARKING_ZONES.some((zone) => inNameServerZone(name_server, zone)))
  );
}

/** Not among them: `dns-parking.com`, which is where Hostinger serves live zones. */
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
