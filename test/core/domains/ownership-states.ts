import type { App } from '../../../shared/core/apps/app.ts';
import { expectationOf } from '../../../shared/core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup, NameView, SeenRecord } from '../../../shared/core/dns/dns-survey.ts';
import type { Domain } from '../../../shared/core/domains/domain.ts';
import { type Claimant, inView } from '../../../shared/core/domains/ownership.ts';
import type { Status } from '../../../shared/core/domains/status.ts';
import { type AccountId, makeId } from '../../../shared/core/ids.ts';
import { sampleDomain, T0 } from './sample-domain.ts';

/** Every combination of facts that the rules of ownership depend on, for two domains A and B of one hostname. */
export const DIMENSIONS = {
  kind: ['subdomain', 'apex', 'www'],
  chain: ['none', 'A', 'B', 'nobody', 'foreign', 'host', 'host to A', 'host to B'],
  /** The state of the white-label host of A's app. In `lost`, another app of the account has verified the host. */
  host: ['verified', 'in grace', 'lost', 'ended', 'renamed'],
  addresses: ['none', 'ours', 'foreign', 'mixed'],
  receipt: ['none', 'whole', 'silent'],
  txt: ['none', 'A', 'B', 'A and B'],
  delegation: ['none', 'A', 'B'],
  retired: ['none', 'A', 'B'],
  failure: ['none', 'addresses', 'txt'],
  accounts: ['one', 'two'],
  /** The statuses of A and B, and which of them has the route. */
  course: [
    'pending_dns pending_dns none',
    'verifying pending_dns A',
    'pending_dns dns_broken none',
    'expired pending_dns none',
    'dns_broken dns_broken none',
    'active pending_dns A',
    'active dns_broken A',
    'active expired A',
    'issuing verifying A',
    'cert_failed pending_dns A',
    'dns_broken pending_dns A',
    'dns_broken dns_broken A',
    'held pending_dns A',
    'pending_dns active B',
    'dns_broken active B',
    'expired dns_broken B',
  ],
} as const;

export type State = { [Name in keyof typeof DIMENSIONS]: (typeof DIMENSIONS)[Name][number] };

const NAMES = Object.keys(DIMENSIONS) as (keyof State)[];
export const STATES = NAMES.reduce((count, name) => count * DIMENSIONS[name].length, 1);

/** Returns the state with a number below `STATES`. */
export function stateOf(number: number): State {
  let rest = number;
  return Object.fromEntries(
    NAMES.map((name) => {
      const values = DIMENSIONS[name];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    }),
  ) as State;
}

export interface Case {
  claimants: readonly Claimant[];
  holder: Claimant | null;
  survey: DnsSurvey;
}

const EDGE_ZONE = 'edge.example';
export const LABELS = { A: `a.${EDGE_ZONE}`, B: `b.${EDGE_ZONE}` } as const;
const HOST = 'sites.agency.example';
const OURS = '203.0.113.10';
const FOREIGN = '198.51.100.7';
const NOW = T0 + 1000;

/** Returns the arguments that the functions of ownership get in a state. */
export function caseOf(state: State): Case {
  const { course, accounts, receipt, delegation } = state;
  const [statusA, statusB, owner] = course.split(' ') as [Status, Status, 'A' | 'B' | 'none'];
  const a = domainOf(state, 'A', statusA);
  const b = domainOf(state, 'B', statusB);
  const isRouted = (name: 'A' | 'B', { status }: Domain) => owner === name && status !== 'verifying';
  const plain: Claimant[] = [
    claimantOf(state, 'A', a, { other: b, hasRoute: isRouted('A', a) }),
    claimantOf(state, 'B', b, { other: a, hasRoute: isRouted('B', b) }),
  ];
  const holder = plain.find(({ domain }) => isRouted(domain === a ? 'A' : 'B', domain)) ?? null;
  const isForeign = state.addresses === 'foreign' || state.addresses === 'mixed';
  const live = ['active', 'issuing', 'cert_failed'].includes(statusA);
  const found = {
    proxies: receipt === 'whole' && isForeign ? [FOREIGN] : [],
    silent: receipt === 'silent' && isForeign && live ? { id: a.id, addresses: [FOREIGN] } : null,
    delegated: new Set(delegation === 'none' ? [] : [delegation === 'A' ? a.id : b.id]),
  };
  const claimants = plain.map((claimant) => inView(claimant, holder, found));
  const seenHolder = claimants.find(({ domain }) => domain.id === holder?.domain.id) ?? null;
  const view = viewOf(state, a, b);
  const survey = { resolvers: [view, view, view], authorities: [], delegation: null } as Partial<DnsSurvey>;
  const account = (number: number) => makeId('acc', T0, new Uint8Array(10).fill(number)) as AccountId;
  const paid = claimants.map((each, index) =>
    Object.assign(each, { account_id: account(accounts === 'one' ? 0 : index) }),
  );
  return { claimants: paid, holder: seenHolder, survey: survey as DnsSurvey };
}

function domainOf({ kind, retired, chain }: State, name: 'A' | 'B', status: Status): Domain {
  const isWww = kind === 'www' && name === 'B';
  const hostname =
    kind === 'subdomain' ? 'careers.acme.com' : kind === 'www' && !isWww ? 'www.acme.com' : 'acme.com';
  return sampleDomain({
    id: makeId('dom', T0, new Uint8Array(10).fill(name === 'A' ? 1 : 2)),
    hostname,
    is_apex: kind === 'apex' || isWww,
    apex_redirect: isWww ? 'www' : 'none',
    status,
    status_before_hold: status === 'held' ? 'active' : null,
    txt_value: `proof of ${name}`,
    retired_at: retired === name ? T0 : null,
    routed_through: name === 'A' && chain.startsWith('host') ? HOST : null,
    created_at: name === 'A' ? T0 : T0 + 1,
  });
}

function claimantOf(
  state: State,
  name: 'A' | 'B',
  domain: Domain,
  { other, hasRoute }: { other: Domain; hasRoute: boolean },
): Claimant {
  const isWww = state.kind === 'www' && name === 'B';
  const app = { target_label: name.toLowerCase(), allow_proxied: true, ...HOSTLESS } as unknown as App;
  if (name === 'A' && state.host !== 'renamed') Object.assign(app, HOSTS[state.host]);
  const expected = expectationOf(
    isWww ? { ...domain, hostname: 'www.acme.com', is_apex: false } : domain,
    app,
    SETTINGS,
    {
      hasRoute: isWww || hasRoute,
      hostLost: name === 'A' && state.host === 'lost',
      hasWhitelabel: state.host !== 'ended',
      otherProofs: [other.txt_value],
      now: NOW,
    },
  );
  const expectation = isWww ? { ...expected, txtRequired: false } : expected;
  return { domain, account_id: '' as AccountId, isWww, expectation };
}

const SETTINGS = {
  names: { txtLabel: '_service' },
  edgeZone: EDGE_ZONE,
  edgeIpv4: [OURS],
  edgeIpv6: [],
  caaIssuers: [],
} as unknown as Parameters<typeof expectationOf>[2];

const HOSTLESS = {
  whitelabel_host: null,
  whitelabel_verified: false,
  whitelabel_found: null,
  whitelabel_grace_ends_at: null,
};
const BROKEN = { whitelabel_host: HOST, whitelabel_grace_ends_at: NOW + 1 };
const HOSTS = {
  verified: { whitelabel_host: HOST, whitelabel_verified: true },
  'in grace': BROKEN,
  lost: BROKEN,
  ended: { whitelabel_host: HOST, whitelabel_verified: true, whitelabel_grace_ends_at: NOW - 1 },
};

const CHAINS: Readonly<Record<State['chain'], readonly string[]>> = {
  none: [],
  A: [LABELS.A],
  B: [LABELS.B],
  nobody: [`nobody.${EDGE_ZONE}`],
  foreign: ['elsewhere.example'],
  host: [HOST],
  'host to A': [HOST, LABELS.A],
  'host to B': [HOST, LABELS.B],
};

const ADDRESSES: Readonly<Record<State['addresses'], readonly string[]>> = {
  none: [],
  ours: [OURS],
  foreign: [FOREIGN],
  mixed: [OURS, FOREIGN],
};

function viewOf({ chain, addresses, txt, failure }: State, a: Domain, b: Domain): NameView {
  const records = [
    ...CHAINS[chain].map((value) => ({ type: 'CNAME', value })),
    ...ADDRESSES[addresses].map((value) => ({ type: 'A', value })),
  ];
  const values = [...(txt.includes('A') ? [a.txt_value] : []), ...(txt.includes('B') ? [b.txt_value] : [])];
  const proofs = values.map((value) => ({ type: 'TXT', value }));
  return {
    server: 'resolver',
    a: lookupOf('A', records, failure === 'addresses'),
    aaaa: lookupOf('AAAA', [], false),
    txt: lookupOf('TXT', proofs, failure === 'txt'),
  };
}

function lookupOf(
  type: Lookup['type'],
  records: readonly Pick<SeenRecord, 'type' | 'value'>[],
  fails: boolean,
): Lookup {
  const outcome = fails ? 'unknown' : records.length > 0 ? 'answer' : 'nodata';
  return {
    server: 'resolver',
    name: 'name',
    type,
    outcome,
    failure: fails ? 'timeout' : null,
    ede: [],
    records: fails ? [] : records.map((record) => ({ name: 'name', ttl_s: 60, ...record })),
    negative_ttl_s: null,
    response_ms: 1,
  };
}
