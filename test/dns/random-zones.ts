import type { CustomerZone } from '../fixtures/real-internet.ts';
import { LENIENT_SERVER } from './broken-zones.ts';
import { apexMistakes, CARELESS_MISTAKES, subdomainMistakes } from './mistakes.ts';
import { seededPick } from './seeded-pick.ts';

/** The values for the records that a domain needs in the customer's zone. */
export interface Ours {
  /** Target of the CNAME, without the final dot. */
  target: string;
  /** The only address of the edge. */
  address: string;
  /** Name of the TXT record, relative to the zone. */
  proofName: string;
  proof: string;
  /** The address of the proxy in front of our edge, if the zone has one. */
  proxy: string;
}

/** The way in which the DNS host serves the zone. */
export type Service = 'plain' | 'signed' | 'stale_ds' | 'ds_without_keys' | 'subzone' | 'careless';

/** A random zone with mistakes, and with records that have nothing to do with the service. */
export interface RandomZone {
  label: string;
  /** First label of the hostname; null at the apex. */
  sub: string | null;
  service: Service;
  /** Lines of the zone, without its DS record. */
  recordsFor(ours: Ours): string[];
  /** The lines that no change may touch. */
  bystanders: readonly string[];
  /** The names of the mistakes, for messages. */
  mistakes: readonly string[];
}

/** The data of a DS record whose key no zone has. */
export const STALE_DS = '12345 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef';

/** The registry's delegation of a zone, by the way the zone is served. Only the first server of the DNS host signs zones. */
export const REGISTERED: Readonly<Record<Service, Partial<CustomerZone>>> = {
  plain: {},
  subzone: {},
  signed: { signed: true, servers: ['ns1.host.test'] },
  stale_ds: { signed: true, servers: ['ns1.host.test'], ds: STALE_DS },
  ds_without_keys: { ds: STALE_DS },
  careless: { servers: [LENIENT_SERVER] },
};

/** Returns random zones. The same seed gives the same zones. */
export function randomZones(count: number, seed: number): RandomZone[] {
  const pick = seededPick(seed);
  return Array.from({ length: count }, (_, index) => {
    const label = `z${index}`;
    const isApex = pick([false, false, true]);
    const service = pick<Service>([
      ...(['plain', 'plain', 'signed', 'stale_ds', 'ds_without_keys', 'careless'] as const),
      isApex ? 'plain' : 'subzone',
    ] as unknown as [Service]);
    const mistakes = mistakesOf(pick, label, isApex, service);
    const chosen = BYSTANDERS.filter(() => pick([true, false]));
    const bystanders = [...chosen, ...mistakes.flatMap(({ kept = [] }) => kept)];
    return {
      label,
      sub: isApex ? null : 'careers',
      service,
      recordsFor: (ours) => [
        ...mistakes.flatMap(({ records }) => (typeof records === 'function' ? records(ours) : records)),
        ...bystanders,
      ],
      bystanders,
      mistakes: [service, ...mistakes.map(({ name }) => name)],
    };
  });
}

function mistakesOf(pick: ReturnType<typeof seededPick>, label: string, isApex: boolean, service: Service) {
  if (service === 'subzone') return [];
  if (service === 'careless') return [pick(CARELESS_MISTAKES[isApex ? 'apex' : 'subdomain'])];
  return isApex ? apexMistakes(pick) : subdomainMistakes(pick, label);
}

const BYSTANDERS = [
  'other A 93.184.215.77',
  'mail A 93.184.215.20',
  '_dmarc TXT "v=DMARC1; p=none"',
  'blog CNAME pages.host.test.',
  '@ MX 10 mail.host.test.',
  '@ TXT "v=spf1 -all"',
  '*.dev A 93.184.215.30',
];
