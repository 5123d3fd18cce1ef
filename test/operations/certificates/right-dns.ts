import { type Lookup, NO_PROBES } from '../../../shared/core/dns/dns-survey.ts';
import type { Dns } from '../../../shared/ports/dns.ts';

/** Creates a DNS in which every name points to us and has the given CAA record. With null, no name has a CAA record. */
export function rightDns({ caa }: { caa: string | null }): Dns {
  return {
    chain: async () => [],
    ownChain: async (host) => aLookup(host, 'CNAME', []),
    txt: async (name) => aLookup(name, 'TXT', []),
    caa: async (hostname) =>
      parents(hostname).map((name) => aLookup(name, 'CAA', caa === null ? [] : [['CAA', caa]])),
    async survey({ hostname, targets: [target = ''] }, depth) {
      const survey = surveyOf(aLookup(hostname, 'A', [['CNAME', target]]));
      return depth === 'zone'
        ? { ...survey, authorities: survey.resolvers.slice(0, 1), resolvers: [] }
        : survey;
    },
  };
}

/** Returns the name and every name above it. */
export function parents(hostname: string): string[] {
  const parts = hostname.split('.');
  return parts.map((_, index) => parts.slice(index).join('.'));
}

export function aLookup(
  name: string,
  type: Lookup['type'],
  records: readonly (readonly [type: string, value: string])[],
): Lookup {
  return {
    server: '192.0.2.1',
    name,
    type,
    outcome: records.length > 0 ? 'answer' : 'nodata',
    failure: null,
    ede: [],
    records: records.map(([of, value]) => ({ name, type: of, value, ttl_s: 60 })),
    negative_ttl_s: null,
    response_ms: 1,
  };
}

/** Returns a survey in which all three resolvers return this lookup. */
export function surveyOf(a: Lookup): Awaited<ReturnType<Dns['survey']>> {
  return {
    delegation: null,
    authorities: [],
    resolvers: ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((server) => ({
      server,
      a,
      aaaa: null,
      txt: null,
    })),
    probes: NO_PROBES,
  };
}
