import type { Ours } from './random-zones.ts';
import type { Pick } from './seeded-pick.ts';

/** A mistake that a customer can make in a zone. */
export interface Mistake {
  name: string;
  /** Lines of a master file, or a function that makes such lines from the records that the domain needs. */
  records: readonly string[] | ((ours: Ours) => readonly string[]);
  /** Further lines, which have nothing to do with the service. */
  kept?: readonly string[];
}

const ELSEWHERE: readonly [string, string, string] = ['93.184.215.14', '93.184.215.15', '198.51.100.9'];
const ELSEWHERE_V6: readonly [string, string] = ['2a00:1450::5', '2a00:1450::6'];
const CLOUDFLARE = 'A 104.16.1.1';

export function subdomainMistakes(pick: Pick, label: string): Mistake[] {
  const address = pick(ELSEWHERE);
  const others = ELSEWHERE.filter((each) => each !== address);
  const mistake = pick<Mistake>([
    { name: 'nothing', records: [] },
    { name: 'the right record', records: ({ target }) => [`careers CNAME ${target}.`] },
    { name: 'a CNAME elsewhere', records: ['careers CNAME shops.myshopify.com.'] },
    { name: 'a chain elsewhere', records: ['careers CNAME lb'], kept: ['lb CNAME shops.myshopify.com.'] },
    { name: 'a chain in a circle', records: ['careers CNAME jobs'], kept: ['jobs CNAME careers'] },
    { name: 'a chain to nowhere', records: ['careers CNAME gone.host.test.'] },
    { name: 'an address elsewhere', records: [`careers A ${address}`] },
    { name: 'three addresses elsewhere', records: [address, ...others].map((each) => `careers A ${each}`) },
    {
      name: 'addresses of both families',
      records: [`careers A ${address}`, ...ELSEWHERE_V6.map((each) => `careers AAAA ${each}`)],
    },
    { name: 'a private address', records: ['careers A 192.168.1.4'] },
    { name: 'a wildcard', records: [], kept: [`* A ${address}`] },
    { name: 'a wildcard CNAME', records: [], kept: ['* CNAME shops.myshopify.com.'] },
    { name: 'a wildcard below', records: [`careers A ${address}`], kept: [`*.careers A ${address}`] },
    { name: 'the domain in the value', records: ({ target }) => [`careers CNAME ${target}`] },
    { name: 'the domain in the name', records: ({ target }) => [`careers.${label}.test CNAME ${target}.`] },
    { name: 'mail at the name', records: [], kept: ['careers MX 10 mail.host.test.'] },
    {
      name: 'mail and an address at the name',
      records: [`careers A ${address}`],
      kept: ['careers MX 10 mail.host.test.'],
    },
    {
      name: 'our address and another',
      records: ({ address: right }) => [`careers A ${right}`, `careers A ${address}`],
    },
    {
      name: 'our address and an old IPv6 address',
      records: ({ address: right }) => [`careers A ${right}`, `careers AAAA ${ELSEWHERE_V6[0]}`],
    },
    { name: 'our address without a proof', records: ({ address: right }) => [`careers A ${right}`] },
    {
      name: 'our address with a wrong proof',
      records: ({ address: right }) => [`careers A ${right}`, '_service.careers TXT "of-another-app"'],
    },
    { name: 'the proxy of Cloudflare', records: [`careers ${CLOUDFLARE}`] },
    {
      name: 'the proxy of Cloudflare, by both families',
      records: [`careers ${CLOUDFLARE}`, 'careers AAAA 2606:4700::1'],
    },
  ]);
  return [mistake, ...challengeMistake(pick, '_acme-challenge.careers'), ...caaMistake(pick)];
}

export function apexMistakes(pick: Pick): Mistake[] {
  const address = pick(ELSEWHERE);
  const pointing = pick<Mistake>([
    { name: 'nothing at the apex', records: [] },
    { name: 'an address elsewhere', records: [`@ A ${address}`] },
    { name: 'a private address', records: ['@ A 10.0.0.7'] },
    { name: 'the proxy of Cloudflare', records: [`@ ${CLOUDFLARE}`] },
    { name: 'both families elsewhere', records: [`@ A ${address}`, `@ AAAA ${ELSEWHERE_V6[0]}`] },
    { name: 'our address and another', records: ({ address: right }) => [`@ A ${right}`, `@ A ${address}`] },
    {
      name: 'our address and an old IPv6 address',
      records: ({ address: right }) => [`@ A ${right}`, `@ AAAA ${ELSEWHERE_V6[1]}`],
    },
    { name: 'our address', records: ({ address: right }) => [`@ A ${right}`] },
  ]);
  const proof = pick<Mistake>([
    { name: 'no proof', records: [] },
    {
      name: 'a wrong proof',
      records: ({ proofName }) => [`${proofName} TXT "service-verify=of-another-app"`],
    },
    {
      name: 'two wrong proofs',
      records: ({ proofName }) => [`${proofName} TXT "one"`, `${proofName} TXT "two"`],
    },
    { name: 'the proof', records: ({ proofName, proof }) => [`${proofName} TXT "${proof}"`] },
  ]);
  return [pointing, proof, ...challengeMistake(pick, '_acme-challenge'), ...caaMistake(pick)];
}

/** Mistakes that the DNS server Knot refuses to load. Zones with such a mistake are on a DNS server that accepts it. */
export const CARELESS_MISTAKES: Readonly<Record<'apex' | 'subdomain', readonly [Mistake, ...Mistake[]]>> = {
  apex: [
    { name: 'a CNAME at the apex', records: ['@ CNAME shops.myshopify.com.'] },
    {
      name: 'a CNAME at the apex, and a wrong proof',
      records: ['@ CNAME shops.myshopify.com.', '_service TXT "of-another-app"'],
    },
  ],
  subdomain: [
    {
      name: 'a CNAME beside an address',
      records: ({ target }) => [`careers CNAME ${target}.`, 'careers A 93.184.215.14'],
    },
    {
      name: 'a CNAME beside an address and a text',
      records: ({ target }) => [`careers CNAME ${target}.`, 'careers A 93.184.215.14', 'careers TXT "old"'],
    },
    {
      name: 'two CNAMEs',
      records: ({ target }) => [`careers CNAME ${target}.`, 'careers CNAME shops.myshopify.com.'],
    },
    {
      name: 'a foreign CNAME beside an address, and CAA of another authority',
      records: [
        'careers CNAME shops.myshopify.com.',
        'careers A 93.184.215.14',
        '@ CAA 0 issue "other-ca.example"',
      ],
    },
  ],
};

function challengeMistake(pick: Pick, name: string): Mistake[] {
  const conflict: Mistake = {
    name: 'a delegation of challenges',
    records: [`${name} CNAME x.acme-dns.com.`],
  };
  return pick([[], [], [], [conflict]]);
}

function caaMistake(pick: Pick): Mistake[] {
  const value = pick(['0 issue "other-ca.example"', '0 issue ";"', '128 tbs "unknown"']);
  const caa: Mistake = { name: `CAA ${value}`, records: [`@ CAA ${value}`] };
  return pick([[], [], [caa]]);
}
