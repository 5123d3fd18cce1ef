import { isUnder } from '../domains/hostname.ts';
import type { Lookup, LookupFailure } from './dns-survey.ts';

/** The responses of the parent zone's servers, the delegated servers and public resolvers about one of our zones. */
export interface DelegationSurvey {
  zone: string;
  /**
   * The zone to which the parent's servers delegate the zone's name. This is `zone` if the delegation is correct. Null if no server of the
   * parent responded.
   */
  cut: string | null;
  /** The names of the NS records in the parent zone. */
  delegatedTo: readonly string[];
  servers: readonly SurveyedServer[];
  /** The lookup of DS records for the zone, at resolvers. */
  ds: Lookup;
  /** The lookup of the addresses of a random name below the zone, at resolvers. */
  target: Lookup;
}

/** The result of asking one of the delegated servers directly. */
export interface SurveyedServer {
  name: string;
  /** The server's address. Null if its name has no address, or if its name is in the zone and the parent has no glue record for it. */
  address: string | null;
  /** Null if the server gave an authoritative answer for the zone. */
  failure: LookupFailure | null;
  /** False if the server accepts no TCP connection. */
  hasTcp: boolean;
  /** The serial number in the server's SOA record; null if the server did not answer. */
  serial: number | null;
}

/** A problem with a delegation, and how the operator can fix it. */
export interface DelegationProblem {
  problem: string;
  fix: string;
}

/** The settings that a delegation has to match. */
export interface ExpectedDelegation {
  servers: readonly { name: string; addresses: readonly string[] }[];
  ipv4: readonly string[];
}

/** Returns the problems of a delegation, the most fundamental problem first. Returns an empty list if the delegation is correct. */
export function delegationProblems(
  survey: DelegationSurvey,
  expected: ExpectedDelegation,
): DelegationProblem[] {
  const { zone, cut } = survey;
  if (cut === null) {
    return [
      {
        problem: `the servers above ${zone} do not answer, or its registrable domain does not exist`,
        fix: 'Check that the domain is registered, and that this machine can reach port 53 of any address.',
      },
    ];
  }
  if (cut !== zone) return [notDelegated(zone, cut, expected)];
  const found = [
    ...differentServers(survey, expected),
    ...survey.servers.flatMap((server) => serverProblems(server, zone, expected)),
    ...differentSerials(survey),
    ...signedParent(survey),
  ];
  return found.length > 0 ? found : wrongTarget(survey, expected);
}

function notDelegated(zone: string, cut: string, { servers }: ExpectedDelegation): DelegationProblem {
  const records = servers.map(({ name }) => `${zone}. NS ${name}.`).join(', ');
  return {
    problem: `${zone} is not delegated: its names are answered by the zone ${cut}`,
    fix: `Add these records to the zone ${cut}, and remove its other records at and below ${zone}: ${records}.`,
  };
}

function differentServers(
  { zone, delegatedTo }: DelegationSurvey,
  { servers }: ExpectedDelegation,
): DelegationProblem[] {
  const names = servers.map(({ name }) => name);
  const missing = names.filter((name) => !delegatedTo.includes(name));
  const extra = delegatedTo.filter((name) => !names.includes(name));
  if (missing.length + extra.length === 0) return [];
  const changes = [
    ...missing.map((name) => `add ${zone}. NS ${name}.`),
    ...extra.map((name) => `remove ${zone}. NS ${name}.`),
  ];
  return [
    {
      problem: `${zone} is delegated to ${delegatedTo.join(', ')}, but NAMEPLATE_DNS_SERVERS names ${names.join(', ')}`,
      fix: `In the parent zone, ${changes.join(', ')}. Or change NAMEPLATE_DNS_SERVERS.`,
    },
  ];
}

function serverProblems(
  { name, address, failure, hasTcp }: SurveyedServer,
  zone: string,
  { servers }: ExpectedDelegation,
): DelegationProblem[] {
  if (address === null) {
    const own = servers.find((server) => server.name === name)?.addresses ?? [];
    const values = own.join(', ') || 'its addresses';
    return [
      {
        problem: `${name} has no public address`,
        fix: isUnder(name, zone)
          ? `Add glue records to the parent zone: ${name}. with ${values}.`
          : `Publish A or AAAA records for ${name} in its own zone, with ${values}.`,
      },
    ];
  }
  if (failure === 'timeout' || failure === 'unreachable') {
    return [
      {
        problem: `${name} (${address}) does not answer`,
        fix: `Start a node with the role dns there, and let UDP and TCP through to port 53 of ${address}.`,
      },
    ];
  }
  if (failure !== null) {
    return [
      {
        problem: `${name} (${address}) does not serve ${zone} (${failure})`,
        fix: `Give that node the same NAMEPLATE_EDGE_ZONE and NAMEPLATE_SANDBOX_ZONE, or point ${name} to a node with the role dns.`,
      },
    ];
  }
  if (hasTcp) return [];
  return [
    {
      problem: `${name} (${address}) answers over UDP but not over TCP`,
      fix: `Let TCP through to port 53 of ${address}: resolvers use it when a response is too large for UDP.`,
    },
  ];
}

function differentSerials({ zone, servers }: DelegationSurvey): DelegationProblem[] {
  const serials = new Set(servers.flatMap(({ serial }) => serial ?? []));
  if (serials.size <= 1) return [];
  const shown = servers.map(({ name, serial }) => `${name} has ${serial ?? 'none'}`).join(', ');
  return [
    {
      problem: `the name servers of ${zone} serve different content (serial numbers: ${shown})`,
      fix: 'Give all nodes with the role dns the same settings, and restart them.',
    },
  ];
}

function signedParent({ zone, ds }: DelegationSurvey): DelegationProblem[] {
  if (!ds.records.some(({ type }) => type === 'DS')) return [];
  return [
    {
      problem: `the parent zone has a DS record for ${zone}, but the zone is not signed, so validating resolvers refuse it`,
      fix: `Remove the DS record of ${zone} from the parent zone.`,
    },
  ];
}

function wrongTarget({ zone, target }: DelegationSurvey, { ipv4 }: ExpectedDelegation): DelegationProblem[] {
  const found = target.records.filter(({ type }) => type === 'A').map(({ value }) => value);
  if (found.length === ipv4.length && found.every((address) => ipv4.includes(address))) return [];
  if (target.outcome === 'unknown') {
    return [
      {
        problem: `resolvers find no address for a name below ${zone} (${target.failure})`,
        fix: 'Wait until resolvers have forgotten the old delegation, at most its TTL, and check again.',
      },
    ];
  }
  return [
    {
      problem: `resolvers find ${found.join(', ') || 'no address'} for a name below ${zone}, not ${ipv4.join(', ')}`,
      fix: 'Wait for the TTL of the old records. If it stays so, compare NAMEPLATE_EDGE_IPV4 of the nodes with this shell.',
    },
  ];
}
