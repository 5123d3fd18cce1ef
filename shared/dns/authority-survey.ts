import type { DnsExpectation } from '../core/dns/dns-expectation.ts';
import type { Delegation, NameView } from '../core/dns/dns-survey.ts';
import type { Authority } from './authority.ts';
import type { NameServer, Zone } from './name-servers.ts';
import { viewName } from './name-view.ts';

/** The views of a hostname at the servers of its own zone. */
export interface AuthoritySurvey {
  delegation: Delegation;
  /** The views, in the order of `servers`. */
  views: readonly NameView[];
  servers: readonly NameServer[];
  zone: Zone | null;
  /** The zones from above the registrable domain down to `zone`. */
  path: readonly Zone[];
}

export async function surveyAuthority(
  authority: Authority,
  expectation: DnsExpectation,
): Promise<AuthoritySurvey> {
  const { zone, registered, path } = await authority.findZoneCut(expectation.hostname, 'A');
  const servers = zone === null ? [] : await authority.nameServersOf(zone);
  const views = zone === null ? [] : await viewAtEach(authority, servers, zone, expectation);
  const delegation: Delegation = {
    zone: zone?.name ?? null,
    registered,
    parent_servers: zone?.servers ?? [],
    own_servers: [],
    lame_servers: servers.filter((_, index) => isLame(views[index])).map(({ name }) => name),
  };
  return { delegation, views, servers, zone, path };
}

/** Returns the servers that a zone names itself, from the first of its servers with a definite answer. */
export async function ownServers(
  authority: Authority,
  { zone, servers }: AuthoritySurvey,
): Promise<string[]> {
  if (zone === null) return [];
  const lookups = await Promise.all(
    servers.map((server) => authority.askServer(server, zone, zone.name, 'NS')),
  );
  const told = lookups.find(({ outcome }) => outcome === 'answer');
  return (told?.records ?? []).flatMap(({ type, value }) => (type === 'NS' ? [value] : [])).sort();
}

function viewAtEach(
  authority: Authority,
  servers: readonly NameServer[],
  zone: Zone,
  expectation: DnsExpectation,
): Promise<NameView[]> {
  return Promise.all(
    servers.map((server) =>
      viewName(
        server.server?.label ?? server.name,
        (name, type) => authority.askServer(server, zone, name, type),
        expectation,
        true,
      ),
    ),
  );
}

/**
 * Returns whether the server is lame: it refused, or its answer was not authoritative. If there are records, a server further along the
 * chain refused.
 */
function isLame(view: NameView | undefined): boolean {
  return view?.a.failure === 'refused' && view.a.records.length === 0;
}
