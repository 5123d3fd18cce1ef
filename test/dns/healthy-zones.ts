import type { CustomerZone } from '../fixtures/real-internet.ts';
import { PROOF, TARGET, V4, V6, WHITELABEL_HOST } from './broken-zones.ts';

/** A zone without mistakes, checked at its subdomain `careers` or at its apex. */
export interface HealthyZone extends CustomerZone {
  title: string;
  label: string;
  at?: 'apex';
}

export const HEALTHY_ZONES: readonly HealthyZone[] = [
  { title: 'a subdomain with its CNAME', label: 'subdomain', records: [`careers CNAME ${TARGET}.`] },
  {
    title: 'the same in a signed zone',
    label: 'signed',
    signed: true,
    servers: ['ns1.host.test'],
    records: [`careers CNAME ${TARGET}.`],
  },
  {
    title: 'a chain within the zone',
    label: 'chain',
    records: ['careers CNAME www', `www CNAME ${TARGET}.`],
  },
  {
    title: 'a chain through the white-label host',
    label: 'whitelabel',
    records: [`careers CNAME ${WHITELABEL_HOST}.`],
  },
  {
    title: 'a CNAME of a wildcard',
    label: 'wildcard',
    records: [`* CNAME ${TARGET}.`],
  },
  {
    title: 'a name that a DNAME leads elsewhere',
    label: 'dname',
    records: ['@ DNAME brand.test.'],
  },
  {
    title: 'an apex whose TXT records fill more than one answer over UDP',
    label: 'many-txt',
    at: 'apex',
    records: [
      `@ A ${V4}`,
      `_service TXT "${PROOF}"`,
      ...Array.from({ length: 40 }, (_, n) => `_service TXT "${'x'.repeat(60)}-${n}"`),
    ],
  },
  {
    title: 'a flattened CNAME with the TXT',
    label: 'flattened',
    records: [`careers A ${V4}`, `careers AAAA ${V6}`, `_service.careers TXT "${PROOF}"`],
  },
  {
    title: 'an apex with A, AAAA and TXT',
    label: 'apex',
    at: 'apex',
    records: [`@ A ${V4}`, `@ AAAA ${V6}`, `_service TXT "${PROOF}"`],
  },
  {
    title: 'an apex with A and TXT',
    label: 'apex-without-ipv6',
    at: 'apex',
    records: [`@ A ${V4}`, `_service TXT "${PROOF}"`],
  },
  {
    title: 'an apex with an HTTPS record that leads to us',
    label: 'https',
    at: 'apex',
    records: [`@ A ${V4}`, `_service TXT "${PROOF}"`, `@ HTTPS 1 . alpn=h2 ipv4hint=${V4} ipv6hint=${V6}`],
  },
  {
    title: 'an apex that a provider flattens',
    label: 'flattened-apex',
    at: 'apex',
    servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    records: [`@ A ${V4}`, `@ AAAA ${V6}`, `_service TXT "other" "text"`, `_service TXT "${PROOF}"`],
  },
];
