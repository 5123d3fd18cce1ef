import type { CustomerZone } from '../fixtures/real-internet.ts';
import type { Ours, RandomZone } from './random-zones.ts';

/** A zone whose hostname points to a proxy in front of our edge. */
export interface ProxiedZone extends RandomZone {
  /** The title of the proxy's setup in `FRONTS`. */
  front: string;
  /** Whether visitors reach our edge through the proxy. */
  leads: boolean;
  /** Whether the app allows proxies. */
  isAllowed: boolean;
}

/** A zone that the customer cannot fix by changing records, and the first finding of its check. */
export interface UnfixableZone {
  code: string;
  label: string;
  registered?: Partial<CustomerZone> | null;
  front?: string;
  recordsFor?(ours: Ours): string[];
}

export const PROXIED_ZONES: readonly ProxiedZone[] = [
  behind('p0', 'both schemes', { leads: true }),
  behind('p1', 'both schemes', { leads: true, more: () => ['_service.careers TXT "of-another-app"'] }),
  behind('p2', 'both schemes', { leads: true, more: () => ['@ CAA 0 issue "other-ca.example"'] }),
  behind('p3', 'both schemes', { leads: true, isAllowed: false }),
  behind('p4', 'compression and more headers', { leads: true, sub: null }),
  behind('p5', 'another site', {}),
  behind('p6', 'a redirect to another site', {
    sub: null,
    more: ({ proofName, proof }) => [`${proofName} TXT "${proof}"`],
  }),
  behind('p7', 'closed ports', {
    sub: null,
    more: ({ proofName, proof }) => [`${proofName} TXT "${proof}"`],
  }),
  behind('p8', 'a firewall', {
    isAllowed: false,
    more: () => ['_acme-challenge.careers CNAME x.acme-dns.com.'],
  }),
];

export const UNFIXABLE_ZONES: readonly UnfixableZone[] = [
  { code: 'domain_not_registered', label: 'u0', registered: null },
  { code: 'dns_delegation_lame', label: 'u1', registered: { lame: true } },
  {
    code: 'domain_parked',
    label: 'u2',
    registered: { servers: ['ns1.sedoparking.com'] },
    recordsFor: () => ['@ A 93.184.215.14', '* A 93.184.215.14'],
  },
  {
    code: 'dns_ns_mismatch',
    label: 'u3',
    registered: { own_servers: ['ns1.host.test', 'ns9.host.test'] },
    recordsFor: ({ target }) => [`careers CNAME ${target}.`],
  },
  proxyFault('proxy_plain_http', 'u4', 'plain HTTP behind HTTPS'),
  proxyFault('proxy_misdirects', 'u5', '/.well-known/ alone'),
  proxyFault('proxy_https_failed', 'u6', 'a certificate of another name'),
];

function behind(
  label: string,
  front: string,
  {
    leads = false,
    isAllowed = true,
    sub = 'careers',
    more = () => [],
  }: Partial<Pick<ProxiedZone, 'leads' | 'isAllowed' | 'sub'>> & { more?: (ours: Ours) => string[] },
): ProxiedZone {
  const recordsFor = (ours: Ours) => [`${sub ?? '@'} A ${ours.proxy}`, ...more(ours)];
  const names = { label, sub, mistakes: [front, isAllowed ? 'proxies allowed' : 'proxies forbidden'] };
  return { ...names, front, leads, isAllowed, service: 'plain', bystanders: [], recordsFor };
}

function proxyFault(code: string, label: string, front: string): UnfixableZone {
  return { code, label, front, recordsFor: ({ proxy }) => [`careers A ${proxy}`] };
}
