import { isDefinite } from '../core/dns/dns-confirmation.ts';
import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import {
  type Lookup,
  type LookupType,
  type NameView,
  NO_PROBES,
  type Probes,
  type TrustLink,
} from '../core/dns/dns-survey.ts';
import type { Random } from '../ports/system.ts';
import type { Authority, AuthoritySurvey } from './authority.ts';
import { firstGood } from './first-good.ts';
import type { Zone } from './name-servers.ts';
import type { Resolvers } from './resolvers.ts';
import { failed } from './wire/reading.ts';
import { isAskable, parentOf } from './wire/wire-name.ts';

/** Looks for common mistakes that explain a wrong record. Queries only authoritative servers, so that no resolver caches an answer. */
export async function probeRecord(
  authority: Authority,
  survey: AuthoritySurvey,
  { hostname, registrable, txtName, txtRequired }: DnsExpectation,
  random: Random,
): Promise<Partial<Probes>> {
  if (survey.zone === null) return {};
  const challenge = `_acme-challenge.${hostname}`;
  const doubledName = `${txtName}.${registrable}`;
  const seeksProof = txtRequired && survey.views.some(({ txt }) => txt !== null);
  const [doubled, doubledTxt, belowHostname, acmeChallenge, besideCname] = await Promise.all([
    probeDoubled(authority, `${hostname}.${registrable}`, random),
    seeksProof && isAskable(doubledName) ? authority.ask(doubledName, 'TXT') : null,
    // For a name below `*`, a wildcard record above the hostname can answer, but no wildcard below it (RFC 4592 section 3.3.1).
    survey.views.some(hasSomething) ? askBelow(authority, `*.${hostname}`, random) : null,
    isAskable(challenge) ? authority.ask(challenge, 'CNAME') : null,
    probeBeside(authority, survey, hostname),
  ]);
  return { ...doubled, doubledTxt, belowHostname, acmeChallenge, besideCname };
}

/** Repeats a lookup without DNSSEC validation, if a resolver answered SERVFAIL. This shows whether DNSSEC is the cause. */
export async function probeUnvalidated(
  resolvers: Resolvers,
  views: readonly NameView[],
  hostname: string,
): Promise<Lookup | null> {
  const failed = views.filter(({ a }) => a.failure === 'servfail').map(({ server }) => server);
  const failing = [...resolvers.servers, ...resolvers.spares].find(({ label }) => failed.includes(label));
  return failing === undefined ? null : resolvers.ask(failing, hostname, 'A', true);
}

/**
 * Looks up the DNSSEC chain of trust at the zones' own servers: the DS records that each parent has for the next zone, and the keys of that
 * zone.
 */
export function probeTrust(authority: Authority, { path }: AuthoritySurvey): Promise<TrustLink[]> {
  return Promise.all(
    path.slice(1).map(async (zone, index) => {
      const parent = path[index] ?? zone;
      const servers = await authority.nameServersOf(parent);
      const found = await firstGood(
        servers,
        (server) => authority.askServer(server, parent, zone.name, 'DS'),
        isDefinite,
      );
      const ds =
        found ?? failed({ server: parent.name, name: zone.name, type: 'DS', response_ms: 0 }, 'unreachable');
      return { zone: zone.name, parent: parent.name, ds, keys: await askKeys(authority, zone, ds) };
    }),
  );
}

async function askKeys(authority: Authority, zone: Zone, ds: Lookup): Promise<Lookup[]> {
  if (!ds.records.some(({ type }) => type === 'DS')) return [];
  const servers = await authority.nameServersOf(zone);
  return Promise.all(servers.map((server) => authority.askServer(server, zone, zone.name, 'DNSKEY')));
}

/**
 * The types of records to look for at the name of a CNAME, which must be the only record there (RFC 1034 section 3.6.2). Each type takes a
 * question of its own.
 */
const BESIDE: readonly LookupType[] = ['CNAME', 'A', 'AAAA', 'MX', 'TXT', 'NS', 'CAA', 'HTTPS'];

async function probeBeside(
  authority: Authority,
  { zone, servers, views }: AuthoritySurvey,
  hostname: string,
): Promise<Lookup[]> {
  const server = servers.find((_, index) => hasSomething(views[index]))?.server ?? null;
  if (server === null || zone === null) return [];
  return Promise.all(BESIDE.map((type) => authority.askBeside(server, zone, hostname, type)));
}

function hasSomething(view: NameView | undefined): boolean {
  if (view === undefined) return false;
  // If the CNAME chain ends at a name that does not exist or is unknown, the first CNAME still exists.
  return view.a.records.length > 0 || (isDefinite(view.a) && view.a.outcome !== 'nxdomain');
}

async function probeDoubled(
  authority: Authority,
  name: string,
  random: Random,
): Promise<Pick<Probes, 'doubledHost' | 'doubledWildcard'>> {
  if (!isAskable(name)) return NO_PROBES;
  const doubledHost = await authority.ask(name, 'A');
  if (doubledHost.records.length === 0) return { doubledHost, doubledWildcard: null };
  return { doubledHost, doubledWildcard: await askBelow(authority, parentOf(name) ?? '.', random) };
}

/** Looks up a random name directly below the given name. */
async function askBelow(authority: Authority, name: string, random: Random): Promise<Lookup | null> {
  const below = `${Buffer.from(random(8)).toString('hex')}.${name}`;
  return isAskable(below) ? authority.ask(below, 'A') : null;
}
