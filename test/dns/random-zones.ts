/** The records that a domain asks of its customer. */
export interface Ours {
  /** Target of the CNAME, without the final dot. */
  target: string;
  /** Address of the edge, which has only one. */
  address: string;
  /** Name of the TXT record, relative to the zone. */
  proofName: string;
  proof: string;
}

/** A random zone with one to three mistakes, the number of changes that fix them, and records that have nothing to do with us. */
export interface RandomZone {
  label: string;
  /** First label of the hostname; null at the apex. */
  sub: string | null;
  signed: boolean;
  recordsFor(ours: Ours): string[];
  fewestChanges: number;
  /** Names and types whose records must stay. */
  unrelated: readonly string[];
  /** The names of the mistakes, for messages. */
  mistakes: readonly string[];
}

interface Mistake {
  name: string;
  /** Lines of a master file, or a function that makes them from our own records. */
  records: readonly string[] | ((ours: Ours) => readonly string[]);
  changes: number;
}

const ELSEWHERE = ['93.184.215.14', '93.184.215.15', '198.51.100.9'];
const ELSEWHERE_V6 = ['2a00:1450::5', '2a00:1450::6'];

/** Returns random zones. The same seed gives the same zones. */
export function randomZones(count: number, seed: number): RandomZone[] {
  const pick = seededPick(seed);
  return Array.from({ length: count }, (_, index) => {
    const label = `z${index}`;
    const isApex = pick([false, false, true]);
    const mistakes = isApex ? apexMistakes(pick) : subdomainMistakes(pick, label);
    const bystanders = BYSTANDERS.filter(() => pick([true, false]));
    return {
      label,
      sub: isApex ? null : 'careers',
      signed: pick([false, false, true]),
      recordsFor: (ours) => [
        ...mistakes.flatMap(({ records }) => (typeof records === 'function' ? records(ours) : records)),
        ...bystanders.map(({ record }) => record),
      ],
      fewestChanges: mistakes.reduce((sum, { changes }) => sum + changes, 0),
      unrelated: bystanders.map(({ query }) => query),
      mistakes: mistakes.map(({ name }) => name),
    };
  });
}

type Pick = <T>(from: readonly [T, ...T[]]) => T;

const BYSTANDERS = [
  { record: 'other A 93.184.215.77', query: 'other A' },
  { record: 'mail A 93.184.215.20', query: 'mail A' },
  { record: '_dmarc TXT "v=DMARC1; p=none"', query: '_dmarc TXT' },
  { record: 'blog CNAME pages.host.test.', query: 'blog CNAME' },
  { record: '@ MX 10 mail.host.test.', query: '@ MX' },
  { record: '@ TXT "v=spf1 -all"', query: '@ TXT' },
  { record: '*.dev A 93.184.215.30', query: 'x.dev A' },
] as const;

function subdomainMistakes(pick: Pick, label: string): Mistake[] {
  const address = pick(ELSEWHERE as [string, ...string[]]);
  const others = ELSEWHERE.filter((each) => each !== address);
  const mistake = pick<Mistake>([
    { name: 'nothing', records: [], changes: 1 },
    { name: 'a CNAME elsewhere', records: ['careers CNAME shops.myshopify.com.'], changes: 1 },
    { name: 'an address elsewhere', records: [`careers A ${address}`], changes: 1 },
    {
      name: 'three addresses elsewhere',
      records: [address, ...others].map((each) => `careers A ${each}`),
      changes: 3,
    },
    {
      name: 'addresses of both families',
      records: [`careers A ${address}`, ...ELSEWHERE_V6.map((each) => `careers AAAA ${each}`)],
      changes: 3,
    },
    { name: 'a private address', records: ['careers A 192.168.1.4'], changes: 1 },
    { name: 'a wildcard', records: [`* A ${address}`], changes: 1 },
    { name: 'the domain in the value', records: ({ target }) => [`careers CNAME ${target}`], changes: 1 },
    {
      name: 'the domain in the name',
      records: ({ target }) => [`careers.${label}.test CNAME ${target}.`],
      changes: 1,
    },
    { name: 'mail at the name', records: ['careers MX 10 mail.host.test.'], changes: 2 },
    {
      name: 'mail and an address at the name',
      records: ['careers MX 10 mail.host.test.', `careers A ${address}`],
      changes: 2,
    },
    {
      name: 'our address and another',
      records: ({ address: right }) => [`careers A ${right}`, `careers A ${address}`],
      changes: 2,
    },
  ]);
  return [mistake, ...caaMistake(pick)];
}

function apexMistakes(pick: Pick): Mistake[] {
  const address = pick(ELSEWHERE as [string, ...string[]]);
  const pointing = pick<Mistake>([
    { name: 'nothing at the apex', records: [], changes: 1 },
    { name: 'an address elsewhere', records: [`@ A ${address}`], changes: 1 },
    {
      name: 'both families elsewhere',
      records: [`@ A ${address}`, `@ AAAA ${ELSEWHERE_V6[0]}`],
      changes: 2,
    },
    {
      name: 'our address and another',
      records: ({ address: right }) => [`@ A ${right}`, `@ A ${address}`],
      changes: 1,
    },
    {
      name: 'our address and an old IPv6 address',
      records: ({ address: right }) => [`@ A ${right}`, `@ AAAA ${ELSEWHERE_V6[1]}`],
      changes: 1,
    },
  ]);
  const proof = pick<Mistake>([
    { name: 'no proof', records: [], changes: 1 },
    {
      name: 'a wrong proof',
      records: ({ proofName }) => [`${proofName} TXT "service-verify=of-another-app"`],
      changes: 1,
    },
    {
      name: 'two wrong proofs',
      records: ({ proofName }) => [`${proofName} TXT "one"`, `${proofName} TXT "two"`],
      changes: 1,
    },
    { name: 'the proof', records: ({ proofName, proof }) => [`${proofName} TXT "${proof}"`], changes: 0 },
  ]);
  return [pointing, proof, ...caaMistake(pick)];
}

function caaMistake(pick: Pick): Mistake[] {
  const issuer = pick(['other-ca.example', 'another-ca.example']);
  const caa: Mistake = {
    name: 'CAA of another authority',
    records: [`@ CAA 0 issue "${issuer}"`],
    changes: 1,
  };
  return pick([[], [], [caa]]);
}

/** Returns a function that picks random elements, with a linear congruential generator (Numerical Recipes). */
function seededPick(seed: number): Pick {
  let state = seed >>> 0;
  return (from) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return from[Math.floor((state / 2 ** 32) * from.length)] ?? from[0];
  };
}
