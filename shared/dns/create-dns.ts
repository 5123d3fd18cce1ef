import { LRUCache } from 'lru-cache';
import { isLabel, isSeenAndUncontested, viewOutcome } from '../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { DnsSurvey, Lookup, NameView } from '../core/dns/dns-survey.ts';
import type { Clock } from '../ports/clock.ts';
import type { Dns, SurveyDepth } from '../ports/dns.ts';
import type { Random } from '../ports/random.ts';
import { type Authority, createAuthority } from './authority.ts';
import { type AuthoritySurvey, ownServers, surveyAuthority } from './authority-survey.ts';
import { climbCaa } from './caa-climb.ts';
import type { Zone } from './name-servers.ts';
import { viewName } from './name-view.ts';
import { NO_PROBES, probeRecord, probeTrust, probeUnvalidated } from './probes.ts';
import { createResolvers, DNS_PORT, type Resolvers, resolverServer } from './resolvers.ts';
import { createDnsClient } from './wire/dns-client.ts';
import { createDnsExchange } from './wire/dns-transport.ts';
import { NOWHERE, type Stops } from './wire/reading.ts';
import { isWithin } from './wire/wire-name.ts';

/** Options for looking up hostnames at their zones' own servers and at the public resolvers. */
export interface DnsOptions {
  /** IP addresses, with a port if it is not 53. The operator chooses them, so no address is refused here. */
  resolvers: readonly string[];
  /** Allows 127.0.0.0/8 and ::1 as addresses of name servers, for tests and the emulator. */
  allowLoopback: boolean;
  /** The port of authoritative servers. Defaults to 53. */
  authorityPort?: number;
  /** The timeout for each of UDP and TCP. Defaults to 3000. */
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
  if (servers.length === 0) throw new RangeError('at least one resolver is required');
  const exchange = createDnsExchange({ random, timeoutMs, socketsMax: SOCKETS_MAX });
  const zones = new LRUCache<string, Zone>({ max: ZONES_MAX });
  const addresses = new LRUCache<string, readonly string[]>({ max: ADDRESSES_MAX });

  /** Starts one piece of work, with limits on its questions and its time. */
  function begin(untouched: string, stops: Stops, workMsMax = WORK_MS_MAX): Work {
    const signal = AbortSignal.timeout(workMsMax);
    const client = createDnsClient({ exchange, clock, questionsMax: QUESTIONS_MAX, signal });
    const resolvers = createResolvers(client, servers);
    const found = { zones, addresses, authorityPort, allowLoopback };
    return { resolvers, authority: createAuthority({ client, resolvers, untouched, stops, ...found }) };
  }

  return {
    survey(expectation, depth, rivals = []) {
      // A user waits for a complete diagnosis. Scheduled checks must not delay each other.
      const workMsMax = depth === 'all' ? WORK_MS_MAX : scheduledMsMax;
      const work = begin(expectation.hostname, (name) => isLabel(name, expectation), workMsMax);
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
      return Promise.all(resolvers.servers.map((server) => resolvers.ask(server, host, 'A')));
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
const ZONES_MAX = 2000;
const ADDRESSES_MAX = 10_000;

interface Work {
  resolvers: Resolvers;
  authority: Authority;
}

/** The records that a survey looks for. */
interface Wanted {
  expectation: DnsExpectation;
  /** The records that the other domains of the hostname expect. */
  rivals: readonly DnsExpectation[];
  depth: SurveyDepth;
}

async function survey(work: Work, wanted: Wanted, random: Random): Promise<DnsSurvey> {
  const { expectation, depth } = wanted;
  const { own, resolvers } = await askByDepth(work, wanted);
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
    probes: { ...NO_PROBES, ...record, unvalidated, caa, trust },
  };
}

interface SurveyViews {
  /** Null if the zone's own servers were not asked. */
  own: AuthoritySurvey | null;
  resolvers: readonly NameView[];
}

/** Asks the servers in the order of a depth (`shared/ports/dns.ts`). */
async function askByDepth(work: Work, wanted: Wanted): Promise<SurveyViews> {
  const { expectation, depth } = wanted;
  const own = () => surveyAuthority(work.authority, expectation);
  const resolvers = () => viewAtResolvers(work.resolvers, expectation);
  if (depth === 'all') {
    const asked = await own();
    return { own: asked, resolvers: isKnownWrong(asked, wanted) ? [] : await resolvers() };
  }
  if (depth === 'first') {
    const asked = await own();
    const saysNo = asked.views.some((view) => isWrongForAll(view, wanted));
    // If none of the zone's own servers can be reached from here, only the resolvers' answers are left.
    const holdsBack = saysNo || asked.delegation.registered === false;
    return { own: asked, resolvers: holdsBack ? [] : await resolvers() };
  }
  const views = await resolvers();
  const confirmed = views.every((view) => viewOutcome(view, expectation) === 'right');
  return { own: confirmed ? null : await own(), resolvers: views };
}

/** Returns whether no server responds. Further questions to such servers would each take the full timeout. */
function isSilent({ views }: AuthoritySurvey): boolean {
  return views.every(({ a }) => a.failure === 'timeout' || a.failure === 'unreachable');
}

/**
 * Returns whether the zone's own servers give a wrong answer. A resolver that is asked now would cache that answer for its TTL, commonly an
 * hour for a negative one (RFC 2308 section 5). If nothing says what would be right, only a negative answer is known to be wrong.
 */
function isKnownWrong(own: AuthoritySurvey | null, wanted: Wanted): boolean {
  const { targets, edgeIpv4, edgeIpv6 } = wanted.expectation;
  const expectsAny = targets.length + edgeIpv4.length + edgeIpv6.length === 0;
  const wrong = own?.views.filter((view) => isWrongForAll(view, wanted)) ?? [];
  return wrong.some(({ a }) => !expectsAny || a.records.length === 0);
}

/** Returns whether a view is wrong for every domain of the hostname. A record that is right for one of them may be asked of resolvers. */
function isWrongForAll(view: NameView, { expectation, rivals }: Wanted): boolean {
  return [expectation, ...rivals].every((each) => viewOutcome(view, each) === 'wrong');
}

/**
 * Returns the lookup for CAA: at resolvers, as a certificate authority does. The customer's own names are asked of resolvers only if that
 * is safe.
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
  return Promise.all(
    resolvers.servers.map((server) =>
      viewName(server.label, (name, type) => resolvers.ask(server, name, type), expectation),
    ),
  );
}
