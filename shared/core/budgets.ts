import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './instant.ts';

/**
 * The kind of party that a budget limits. Uses by the same party count together. Apps and keys can be created for free, so a budget of the
 * account limits all its apps and keys together.
 */
export type Party =
  | 'account'
  | 'app'
  | 'key'
  | 'domain'
  | 'hostname'
  | 'person'
  | 'session'
  | 'network'
  | 'connection'
  | 'node';

interface Row {
  /** The things that the budget counts, in the plural, as the beginning of a sentence. */
  what: string;
  whose: Party;
}

/**
 * Limits uses within a sliding window: no span of `windowMs` has more than `limit` uses. The database counts them, so the limit holds for
 * all nodes together.
 */
export interface WindowBudget extends Row {
  kind: 'window';
  limit: number;
  windowMs: number;
}

/**
 * Limits uses of something that several parties share, such as a person's mailbox. In a sliding window, each party has at most `each` uses,
 * and all parties together have `limit`. Beyond `limit`, a party without a use in the window still gets one use; `firsts` limits these
 * extra uses. So a stranger can use up little of what others need. The database counts the uses.
 */
export interface SharedBudget extends Row {
  kind: 'shared';
  each: number;
  limit: number;
  firsts: number;
  windowMs: number;
}

/** Limits the rate of each party by a token bucket, on each node. */
export interface RateBudget extends Row {
  kind: 'rate';
  perSecond: number;
  burst: number;
}

/** Limits how many things a party can have at the same time. */
export interface AtOnceBudget extends Row {
  kind: 'at_once';
  limit: number;
  counted: 'stored' | 'node';
}

/**
 * A capacity that parties share. A party may take at most a fraction of what all other parties leave free, so that a newcomer always finds
 * room.
 */
export interface ShareBudget extends Row {
  kind: 'share';
  /** The whole capacity; null if a setting decides it. */
  of: number | null;
  /** The divisor of the fraction: 5 means a fifth. */
  parts: number;
  /** `stored`: the database counts for all nodes together. `node`: each node counts for itself. */
  counted: 'stored' | 'node';
}

export type Budget = WindowBudget | SharedBudget | RateBudget | AtOnceBudget | ShareBudget;

/**
 * All limits that keep one party from using up what others need. The code reads each limit here, and a guide shows the table
 * (`docs/plans-and-limits.md#budgets`). For each row, a test shows that a party at its limit does not reduce what others get
 * (`decisions/0072`).
 */
export const BUDGETS = {
  // Budgets of requests that we send to other people's servers.
  verify: inWindow(1, 15 * SECOND_MS, 'domain', 'Requested checks'),
  diagnosis: inWindow(1, 15 * SECOND_MS, 'domain', 'Diagnoses of a domain'),
  diagnoses: inWindow(20, 15 * SECOND_MS, 'account', 'Diagnoses of live domains'),
  origin_probes: inWindow(30, MINUTE_MS, 'account', 'Changes of origin_url, each with a probe'),
  host_checks: inWindow(10, MINUTE_MS, 'account', 'Immediate checks of a new whitelabel_host'),
  redeliver: inWindow(10, MINUTE_MS, 'app', 'Redeliveries'),
  test_events: inWindow(10, MINUTE_MS, 'account', 'Test events'),
  // Budgets of certificates. An operator's settings can replace the number of orders that an authority accepts.
  whitelabel_hosts: inWindow(10, DAY_MS, 'account', 'White-label hosts that get a certificate'),
  ca_orders: share(300, 3, 'account', 'Certificate orders in 3 hours at one authority', 'stored'),
  ca_places: share(100, 4, 'account', 'Open orders at one authority', 'stored'),
  overdue_alarms: inWindow(
    1,
    7 * DAY_MS,
    'domain',
    'Log lines about a certificate that is due when it arrives',
  ),
  // Budgets of requests to the billing provider.
  billing_syncs: inWindow(5, MINUTE_MS, 'account', 'Reads of the billing state'),
  billing_pages: inWindow(20, HOUR_MS, 'account', 'Pages of the billing provider'),
  plan_choices: inWindow(10, HOUR_MS, 'account', 'Changes of the plan'),
  card_checks: inWindow(5, DAY_MS, 'account', 'Checks of the card before the first live key'),
  // Budgets of mails.
  sign_in_links: shared(
    { each: 5, limit: 20, firsts: 100 },
    HOUR_MS,
    'network',
    'Sign-in links to one address',
  ),
  known_browser_links: inWindow(
    5,
    HOUR_MS,
    'person',
    'Sign-in links to a browser that the person has used before',
  ),
  invitations_to: shared({ each: 3, limit: 10, firsts: 50 }, DAY_MS, 'account', 'Invitations to one address'),
  live_mails_to: shared(
    { each: 3, limit: 10, firsts: 50 },
    DAY_MS,
    'account',
    'Connect page mails to one address',
  ),
  invitations: inWindow(50, DAY_MS, 'account', 'Invitations'),
  page_mails: inWindow(10, DAY_MS, 'domain', 'Mails requested on a connect page'),
  // Budgets of sign-ins to the dashboard.
  network_links: inWindow(300, HOUR_MS, 'network', 'Sign-in links'),
  passkey_sign_ins: inWindow(300, HOUR_MS, 'network', 'Sign-ins with a passkey'),
  provider_sign_ins: inWindow(300, HOUR_MS, 'network', 'Sign-ins with a provider'),
  operator_looks: inWindow(
    1,
    10 * MINUTE_MS,
    'session',
    'Audit entries for an operator who looks at an account',
  ),
  // Budgets of rows in the database.
  test_domains: stored(1_000, 'account', 'Test domains'),
  test_domains_added: inWindow(2_000, DAY_MS, 'account', 'New test domains'),
  live_domains_added: inWindow(2_000, DAY_MS, 'account', 'New live domains beyond the limit of the plan'),
  keys: stored(1_000, 'account', 'API keys'),
  keys_created: inWindow(1_000, DAY_MS, 'account', 'New API keys'),
  apps: stored(50, 'account', 'Apps'),
  members: stored(100, 'account', 'Members'),
  accounts: stored(10, 'person', 'Accounts joined'),
  passkeys: stored(20, 'person', 'Passkeys'),
  page_addresses: stored(10, 'domain', 'Addresses that get the mails of a connect page'),
  // Budgets of a node's API. Settings can replace the rates.
  api: rate(100, 200, 'key', 'Requests (`api`)'),
  app: rate(200, 400, 'app', 'Requests (`app`)'),
  account: rate(400, 800, 'account', 'Requests (`account`)'),
  component: rate(200, 400, 'account', 'Requests of the connect component'),
  component_domain: rate(5, 50, 'domain', 'Requests of the connect component'),
  requests: share(null, 5, 'account', 'Requests in progress'),
  waiting_requests: onNode(500, 'account', 'Waiting requests'),
  lists: share(null, 4, 'account', 'Processor time for lists'),
  connections: share(null, 5, 'account', 'Database connections'),
  refusals: rate(100, 100, 'account', 'Refusals without a delay'),
  pages: rate(500, 1_000, 'network', 'Pages without a delay'),
  api_connections: onNode(2_500, 'network', 'Connections to the API, of 5000'),
  pipelined: onNode(32, 'connection', 'Unfinished API requests'),
  key_streams: onNode(5, 'key', 'Event streams'),
  app_streams: onNode(25, 'app', 'Event streams'),
  account_streams: onNode(50, 'account', 'Event streams'),
  streams: share(1_000, 5, 'account', 'Event streams of all parties'),
  // Budgets of the work that a node does for its apps.
  deliveries: share(400, 20, 'account', 'Webhooks under way'),
  jobs_dns: share(200, 10, 'account', 'DNS checks under way'),
  jobs_origins: share(50, 10, 'account', 'Probes of origins under way'),
  jobs_certificates: share(50, 5, 'account', 'Certificate orders under way'),
  jobs_ours: share(20, 2, 'account', 'Other work under way'),
  jobs_mail: share(6, 2, 'account', 'Mails under way'),
  // Budgets of a node's edge and name server.
  host_pages: rate(100, 400, 'account', 'Pages at white-label hosts'),
  host_pages_network: rate(50, 200, 'network', 'Pages at a white-label host'),
  edge_connections: onNode(1_024, 'network', 'Connections to the edge, of 20000'),
  edge_requests: share(20_000, 5, 'network', 'Requests in progress at the edge'),
  edge_streams: onNode(128, 'connection', 'HTTP/2 streams'),
  edge_pipelined: onNode(32, 'connection', 'Unfinished edge requests'),
  stream_resets: rate(20, 200, 'connection', 'HTTP/2 streams that are opened and reset'),
  origin_connections: onNode(64, 'network', 'Connections to an origin, once half of its 256 are taken'),
  origin_queue: onNode(1024, 'network', 'Requests that wait for an origin, of 4096'),
  origin_tunnels: onNode(512, 'network', 'WebSockets to an origin, of 4096'),
  dns_connections: onNode(50, 'network', 'TCP connections to the name server, of 1000'),
} as const satisfies Record<string, Budget>;

export type BudgetName = keyof typeof BUDGETS;
/** The names of the budgets of one kind. */
export type BudgetNameOf<K extends Budget['kind']> = {
  [Name in BudgetName]: (typeof BUDGETS)[Name] extends { kind: K } ? Name : never;
}[BudgetName];

/** Returns the error message for a request that exceeds a budget. */
export function refusalOf(name: BudgetNameOf<'window' | 'shared'>): string {
  const { what, whose } = BUDGETS[name];
  return `${what} are limited to ${limitText(BUDGETS[name])} for each ${whose}.`;
}

/** Returns how much a budget allows one party, as text such as `10 in 1 minute`. */
export function limitText(budget: Budget): string {
  switch (budget.kind) {
    case 'window':
      return `${budget.limit} in ${spanText(budget.windowMs)}`;
    case 'shared':
      return `${budget.each} in ${spanText(budget.windowMs)}`;
    case 'rate':
      return `${budget.perSecond} a second, ${budget.burst} at once`;
    case 'at_once':
      return `${budget.limit}`;
    case 'share':
      return `1/${budget.parts} of the capacity that other parties leave free`;
  }
}

function spanText(ms: number): string {
  const [unitMs, unit] = SPANS.find(([size]) => ms % size === 0) ?? SPANS[3];
  const count = ms / unitMs;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const SPANS = [
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
  [1, 'millisecond'],
] as const;

function inWindow(limit: number, windowMs: number, whose: Party, what: string): WindowBudget {
  return { kind: 'window', limit, windowMs, whose, what };
}

function shared(
  limits: Pick<SharedBudget, 'each' | 'limit' | 'firsts'>,
  windowMs: number,
  whose: Party,
  what: string,
): SharedBudget {
  return { kind: 'shared', ...limits, windowMs, whose, what };
}

function stored(limit: number, whose: Party, what: string): AtOnceBudget {
  return { kind: 'at_once', limit, counted: 'stored', whose, what };
}

function share<const Of extends number | null>(
  of: Of,
  parts: number,
  whose: Party,
  what: string,
  counted: ShareBudget['counted'] = 'node',
): ShareBudget & { of: Of } {
  return { kind: 'share', of, parts, counted, whose, what };
}

function onNode(limit: number, whose: Party, what: string): AtOnceBudget {
  return { kind: 'at_once', limit, counted: 'node', whose, what };
}

function rate(perSecond: number, burst: number, whose: Party, what: string): RateBudget {
  return { kind: 'rate', perSecond, burst, whose, what };
}
