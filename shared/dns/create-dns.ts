import { LRUCache } from 'lru-cache';
import { failsBy, isLabel, isSeenAndUncontested, viewOutcome } from '../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import {
  type DnsSurvey,
  type Lookup,
  type LookupFailure,
  type NameView,
  NO_PROBES,
} from '../core/dns/dns-survey.ts';
import type { Dns, SurveyDepth } from '../ports/dns.ts';
import type { Clock, Random } from '../ports/system.ts';
import {
  type Authority,
  type AuthoritySurvey,
  createAuthority,
  ownServers,
  surveyAuthority,
  viewName,
} from './authority.ts';
import type { Zone } from './name-servers.ts';
import { probeRecord, probeTrust, probeUnvalidated } from './probes.ts';
import {
  createResolvers,
  DNS_PORT,
  type ResolverAnswers,
  type Resolvers,
  resolverServer,
} from './resolvers.ts';
import { createDnsClient, type DnsEndpoint } from './wire/dns-client.ts';
import { createDnsExchange } from './wire/dns-transport.ts';
import { BLOCK_CODES, NOWHERE, type Stops } from './wire/reading.ts';
import { isAskable, isWithin, parentOf } from './wire/wire-name.ts';

/** Options for looking up hostnames at their zones' own servers and at the public resolvers. */
export interface DnsOptions {
  /** IP addresses of resolvers, with a port if it is not 53. Allows any address, because the operator chooses them. */
  resolvers: readonly string[];
  /** Further resolvers, each used only in place of one that blocks a name or refuses to respond. The default is an empty list. */
  spareResolvers?: readonly string[];
  /** Allows 127.0.0.0/8 and ::1 as addresses of name servers, for tests and the emulator. */
  allowLoopback: boolean;
  /** The port of authoritative servers. Defaults to 53. */
  authorityPort?: number;
  /** The timeout of a question over UDP, and of its repetition over TCP. Defaults to 3000. */
  timeoutMs?: number;
  /** The time limit of a scheduled survey. Defaults to 10,000. */
  scheduledMsMax?: number;
  random: Random;
  /** A monotonic clock that measures response times. */
  clock: Clock;
}

/** Creates the DNS client. @throws RangeError if there is no resolver, or if one is not an IP address. */
export function createDns(options: DnsOptions): Dns {
  const { random, clock, allowLoopback, authorityPort = DNS_PORT } = options;
  const { timeoutMs = TIMEOUT_MS, scheduledMsMax = SCHEDULED_MS_MAX } = options;
  const servers = options.resolvers.map(resolverServer);
  const spares = (options.spareResolvers ?? []).map(resolverServer);
  if (servers.length === 0) throw new RangeError('at least one resolver is required');
  const exchange = createDnsExchange({ random, timeoutMs, socketsMax: SOCKETS_MAX });
  const zones = new LRUCache<string, Zone>({ max: ZONES_MAX });
  const addresses = new LRUCache<string, readonly string[]>({ max: ADDRESSES_MAX });
  const knownCuts = new LRUCache<string, Zone>({ max: CUTS_MAX });

  /** Starts one survey or other lookup, with limits on the number of its questions and on its time. */
  function begin(
    untouched: string,
    stops: Stops,
    workMsMax = WORK_MS_MAX,
    cuts: typeof knownCuts | null = null,
  ): Work {
    const signal = AbortSignal.timeout(workMsMax);
    const client = createDnsClient({ exchange, clock, questionsMax: QUESTIONS_MAX, signal });
    const resolvers = createResolvers(client, servers, spares);
    const found = { zones, cuts, addresses, authorityPort, allowLoopback };
    return { resolvers, authority: createAuthority({ client, resolvers, untouched, stops, ...found }) };
  }

  return {
    async survey(expectation, depth, rivals = []) {
      const stops: Stops = (name) => isLabel(name, expectation);
      if (depth === 'zone') {
        const { hostname, registrable } = expectation;
        const { authority } = begin(hostname, stops, Math.min(scheduledMsMax, ZONE_MS_MAX), knownCuts);
        const view = await viewName(hostname, authority.ask, expectation);
        // The registrable domain may have moved to other name servers, so the next survey looks up its servers again.
        if (viewOutcome(view, expectation) !== 'right') knownCuts.delete(registrable);
        return { delegation: null, authorities: [view], resolvers: [], probes: NO_PROBES };
      }
      // A complete diagnosis, for which a user waits, may take longer. Scheduled checks must not delay each other.
      const workMsMax = depth === 'all' ? WORK_MS_MAX : scheduledMsMax;
      const work = begin(expectation.hostname, stops, workMsMax);
      return survey(work, { expectation, rivals, depth }, random);
    },
    async caa(hostname) {
      const { resolvers } = begin(hostname, NOWHERE);
      return climbCaa((name) => resolvers.askAny(name, 'CAA'), hostname);
    },
    async ownChain(host, target) {
      return begin(host, (name) => name === target).authority.ask(host, 'A');
    },
    async chain(host) {
      const { resolvers } = begin(host, NOWHERE);
      const ask = (server: DnsEndpoint) => resolvers.ask(server, host, 'A');
      const given = await Promise.all(resolvers.servers.map(ask));
      const isAnswer = ({ failure }: Lookup) => failure === null || !NO_ANSWER.includes(failure);
      return (await resolvers.withSpares(given, ask, isAnswer)).answers;
    },
    async txt(name) {
      return begin(name, NOWHERE).resolvers.askAny(name, 'TXT');
    },
  };
}

const TIMEOUT_MS = 3000;
const SOCKETS_MAX = 500;
const QUESTIONS_MAX = 200;
const WORK_MS_MAX = 20_000;
const SCHEDULED_MS_MAX = 10_000;
const ZONE_MS_MAX = 3000;
const ZONES_MAX = 2000;
const ADDRESSES_MAX = 10_000;
const CUTS_MAX = 50_000;

interface Work {
  resolvers: Resolvers;
  authority: Authority;
}

/** The records that a survey looks for. */
interface Wanted {
  expectation: DnsExpectation;
  /** The expected records of the other domains with this hostname. */
  rivals: readonly DnsExpectation[];
  depth: SurveyDepth;
}

async function survey(work: Work, wanted: Wanted, random: Random): Promise<DnsSurvey> {
  const { expectation, depth } = wanted;
  const { own, answers: resolvers, replaced } = await askByDepth(work, wanted);
  const wantsAll = depth === 'all';
  const looksCloser =
    own !== null && !isSilent(own) && (wantsAll || !isSeenAndUncontested(own.views, expectation));
  const failsToValidate = resolvers.some(({ a }) => a.failure === 'servfail');
  const looksAtKeys = own !== null && !isSilent(own) && (wantsAll || failsToValidate);
  const [ownView, record, unvalidated, caa, trust] = await Promise.all([
    looksCloser ? ownServers(work.authority, own) : [],
    looksCloser ? probeRecord(work.authority, own, expectation, random) : NO_PROBES,
    probeUnvalidated(work.resolvers, resolvers, expectation.hostname),
    wantsAll ? climbCaa(caaAsker(work, own, wanted), expectation.hostname) : [],
    looksAtKeys ? probeTrust(work.authority, own) : [],
  ]);
  return {
    delegation: own && { ...own.delegation, own_servers: ownView },
    authorities: own?.views ?? [],
    resolvers,
    ...(replaced.length > 0 && { replaced }),
    probes: { ...NO_PROBES, ...record, unvalidated, caa, trust },
  };
}

interface SurveyViews extends ResolverAnswers<NameView> {
  /** Null if the zone's own servers were not queried. */
  own: AuthoritySurvey | null;
}

/** Queries the servers in the order that the depth of the survey determines (`shared/ports/dns.ts`). */
async function askByDepth(work: Work, wanted: Wanted): Promise<SurveyViews> {
  const { expectation, depth } = wanted;
  if (depth === 'again') {
    const views = await viewAtResolvers(work.resolvers, expectation);
    const isConfirmed = views.every((view) => viewOutcome(view, expectation) === 'right');
    if (isConfirmed) return { own: null, answers: views, replaced: [] };
    const own = await surveyAuthority(work.authority, expectation);
    return { own, ...(await withTruth(views, own, work, wanted)) };
  }
  const own = await surveyAuthority(work.authority, expectation);
  const saysNo = own.views.some((view) => isWrongForAll(view, wanted)) || own.delegation.registered === false;
  // If this machine cannot reach any of the zone's own servers, only resolvers can answer.
  const holdsBack = depth === 'all' ? isKnownWrong(own, wanted) : saysNo;
  if (holdsBack) return { own, answers: [], replaced: [] };
  return { own, ...(await withTruth(await viewAtResolvers(work.resolvers, expectation), own, work, wanted)) };
}

/** Failures in which a resolver's response says nothing about the zone. Excludes timeouts and SERVFAIL, which may be the fault of the zone. */
const NO_ANSWER: readonly LookupFailure[] = ['blocked', 'refused'];

/**
 * If a resolver blocks the name or refuses to respond, replaces its answer with a spare resolver's answer. Uses no spare resolver if all
 * servers of the zone say that the name does not exist. A resolver that passes on this answer without an SOA record is then not treated as
 * blocking.
 */
async function withTruth(
  views: readonly NameView[],
  own: AuthoritySurvey,
  { resolvers }: Work,
  wanted: Wanted,
): Promise<ResolverAnswers<NameView>> {
  const { expectation } = wanted;
  const isDenied = own.views.length > 0 && own.views.every(({ a }) => a.outcome === 'nxdomain');
  if (isDenied) return { answers: views.map(asDenied), replaced: [] };
  if (isKnownWrong(own, wanted)) return { answers: views, replaced: [] };
  return resolvers.withSpares(
    views,
    (spare) => viewAt(spare, resolvers, expectation),
    (view) => !failsBy(view, NO_ANSWER),
  );
}

function asDenied(view: NameView): NameView {
  const { a } = view;
  const isSilent = a.failure === 'blocked' && !a.ede.some((code) => BLOCK_CODES.includes(code));
  return isSilent ? { ...view, a: { ...a, outcome: 'nxdomain', failure: null } } : view;
}

/** Returns whether none of the zone's servers responds. Each further question to them would take the full timeout. */
function isSilent({ views }: AuthoritySurvey): boolean {
  return views.every(({ a }) => a.failure === 'timeout' || a.failure === 'unreachable');
}

/**
 * Returns whether the zone's own servers give a wrong answer. If a resolver was queried now, it would cache that answer for its TTL,
 * commonly an hour for a negative answer (RFC 2308 section 5). If no records are expected, only a negative answer is known to be wrong.
 */
function isKnownWrong(own: AuthoritySurvey | null, wanted: Wanted): boolean {
  const { targets, edgeIpv4, edgeIpv6 } = wanted.expectation;
  const expectsAny = targets.length + edgeIpv4.length + edgeIpv6.length === 0;
  const wrong = own?.views.filter((view) => isWrongForAll(view, wanted)) ?? [];
  return wrong.some(({ a }) => !expectsAny || a.records.length === 0);
}

/** Returns whether a server's answer is wrong for every domain of the hostname. Otherwise, resolvers are queried too. */
function isWrongForAll(view: NameView, { expectation, rivals }: Wanted): boolean {
  return [expectation, ...rivals].every((each) => viewOutcome(view, each) === 'wrong');
}

/**
 * Returns the function that looks up CAA records at resolvers, as a certificate authority does. If resolvers would cache a wrong answer, it
 * looks up the customer's names at the zone's own servers.
 */
function caaAsker(
  { authority, resolvers }: Work,
  own: AuthoritySurvey | null,
  wanted: Wanted,
): (name: string) => Promise<Lookup> {
  const sparesResolvers = isKnownWrong(own, wanted);
  return (name) =>
    sparesResolvers && isWithin(name, wanted.expectation.registrable)
      ? authority.ask(name, 'CAA')
      : resolvers.askAny(name, 'CAA');
}

function viewAtResolvers(resolvers: Resolvers, expectation: DnsExpectation): Promise<NameView[]> {
  return Promise.all(resolvers.servers.map((server) => viewAt(server, resolvers, expectation)));
}

function viewAt(server: DnsEndpoint, resolvers: Resolvers, expectation: DnsExpectation): Promise<NameView> {
  return viewName(server.label, (name, type) => resolvers.ask(server, name, type), expectation);
}

/** Maximum number of further names to look up, because a chain of long names has many parent names. */
const CAA_NAMES_MAX = 60;

/** Looks up CAA records once at the name, at each CNAME target, and at every name above them (RFC 8659 section 3). */
async function climbCaa(ask: (name: string) => Promise<Lookup>, hostname: string): Promise<Lookup[]> {
  const names = withParents(hostname);
  const own = await Promise.all(names.map(ask));
  const targets = (own[0]?.records ?? []).flatMap(({ type, value }) => (type === 'CNAME' ? [value] : []));
  const others = new Set(targets.flatMap(withParents).filter((name) => isAskable(name)));
  const more = [...others].filter((name) => !names.includes(name)).slice(0, CAA_NAMES_MAX);
  return [...own, ...(await Promise.all(more.map(ask)))];
}

/** Returns the name and all names above it, without the root, which has no CAA. */
function withParents(hostname: string): string[] {
  const names: string[] = [];
  for (let name: string | null = hostname; name !== null && name !== '.'; name = parentOf(name))
    names.push(name);
  return names;
}
