import { typeNumber } from '../wire/record-data.ts';
import { parentOf, wireNameBytes } from '../wire/wire-name.ts';
import { type PackedRecords, packRecords, QUESTION_NAME, type RecordContent } from './packed-records.ts';

/** The content of a zone, from the settings. */
export interface ZoneContent {
  /** The zone's name in lowercase, without a trailing dot. */
  name: string;
  soa: RecordContent & { type: 'SOA' };
  /** The names of the zone's servers. A server whose name is in the zone also has addresses. */
  servers: readonly ZoneServer[];
  /** Records at names in the zone. A name may begin with `*` (RFC 4592). `createServedZone` adds the servers' addresses. */
  records: readonly ZoneRecord[];
  /** The TTL of the SOA and NS records. */
  infrastructureTtlS: number;
  ttlS: number;
}

export interface ZoneServer {
  name: string;
  addresses: readonly string[];
}

export interface ZoneRecord {
  name: string;
  content: RecordContent;
}

/** A zone, ready to be served. All its answers are encoded in advance, except the answers to challenges. */
export interface ServedZone {
  /** The key of the zone's name (`nameKey`). */
  key: string;
  /** Every name that exists, by key. Empty non-terminals have no answers (RFC 8020, RFC 4592 section 2.2.2). */
  nodes: Pick<ReadonlyMap<string, ZoneNode>, 'get'>;
  /** Wildcards, by the key of the name directly above them. */
  wildcards: ReadonlyMap<string, ZoneNode>;
  noData: ZoneAnswer;
  noName: ZoneAnswer;
}

export interface ZoneNode {
  /** The answers, by the number of the record type. */
  answers: ReadonlyMap<number, ZoneAnswer>;
  /** The answer to a question of type ANY: the records of one type (RFC 8482 section 4.1). */
  any: ZoneAnswer | null;
}

/** The sections of a response, encoded. */
export interface ZoneAnswer {
  rcode: 0 | 3 | 5;
  authoritative: boolean;
  answers: PackedRecords | null;
  authorities: PackedRecords | null;
  /** Addresses, which are left out if they do not fit, because no client depends on them (RFC 2181 section 9). */
  additionals: readonly PackedRecords[];
}

/**
 * Returns the key of a name: its wire form in lowercase, one character for each byte. The key of a parent is a suffix of the child's key. A
 * question can be looked up without decoding its labels.
 */
export function nameKey(name: string): string {
  return wireNameBytes(name).toString('latin1').toLowerCase();
}

/** Creates a zone. @throws RangeError if a name is not in the zone. */
export function createServedZone(content: ZoneContent): ServedZone {
  const { name, soa, infrastructureTtlS, ttlS } = content;
  const address = (ip: string): RecordContent => ({ type: ip.includes(':') ? 'AAAA' : 'A', address: ip });
  const glue = content.servers.flatMap((server) =>
    server.addresses.map((ip) => ({ name: server.name, content: address(ip) })),
  );
  const apex = [
    { name, content: soa as RecordContent },
    ...content.servers.map((server) => ({
      name,
      content: { type: 'NS', server: server.name } as RecordContent,
    })),
  ];
  const byName = Map.groupBy([...apex, ...glue, ...content.records], (record) => record.name);
  const ttlOf = (type: RecordContent['type']) =>
    type === 'SOA' || type === 'NS' ? infrastructureTtlS : ttlS;
  const additionals = [...Map.groupBy(glue, (record) => `${record.name} ${record.content.type}`).values()];
  const packedGlue = additionals.map((records) =>
    packRecords(
      name,
      records[0]?.name ?? name,
      ttlS,
      records.map((record) => record.content),
    ),
  );
  const negative = packRecords(name, name, Math.min(infrastructureTtlS, soa.negativeTtlS), [soa]);

  const nodes = new Map<string, ZoneNode>();
  const wildcards = new Map<string, ZoneNode>();
  for (const [owner, records] of byName) {
    const answers = new Map<number, ZoneAnswer>();
    const byType = Map.groupBy(records, (record) => record.content.type);
    for (const [type, ofType] of byType) {
      const contents = ofType.map((record) => record.content);
      answers.set(typeNumber(type), {
        rcode: 0,
        authoritative: true,
        answers: packRecords(name, QUESTION_NAME, ttlOf(type), contents),
        authorities: null,
        additionals: type === 'NS' ? packedGlue : [],
      });
    }
    const node = { answers, any: answers.values().next().value ?? null };
    nodes.set(nameKey(owner), node);
    if (owner.startsWith('*.')) wildcards.set(nameKey(owner.slice(2)), node);
    addParents(nodes, owner, name);
  }
  return {
    key: nameKey(name),
    nodes,
    wildcards,
    noData: { rcode: 0, authoritative: true, answers: null, authorities: negative, additionals: [] },
    noName: { rcode: 3, authoritative: true, answers: null, authorities: negative, additionals: [] },
  };
}

/** Adds nodes without answers for the names between an owner and the zone's name. */
function addParents(nodes: Map<string, ZoneNode>, owner: string, zone: string): void {
  for (let name: string | null = owner; name !== zone; name = parentOf(name)) {
    if (name === null || name === '.') throw new RangeError(`${owner} is not in the zone ${zone}`);
    const key = nameKey(name);
    if (!nodes.has(key)) nodes.set(key, { answers: new Map(), any: null });
  }
}

/** The zones of a server, by the key of the zone's name. */
export type ServedZones = ReadonlyMap<string, ServedZone>;

/** The answer to a question, and the position of the zone's name in the question. */
export interface FoundAnswer {
  answer: ZoneAnswer;
  /** The number of bytes before the zone's name in the name of the question. */
  zoneStart: number;
}

/**
 * Finds the answer to a question in the zones of a server (RFC 1034 section 4.3.2, RFC 4592 section 3.3.1). The server has no delegations,
 * no CNAME records and no recursion, so one lookup is enough.
 * @param key the name, as `nameKey` returns it.
 * @param type the number of the type.
 */
export function findAnswer(zones: ServedZones, key: string, type: number): FoundAnswer {
  let start = zoneStartOf(zones, key, 0);
  // A DS record of a zone is in its parent zone (RFC 4035 section 3.1.4.1).
  if (type === TYPE_DS && start === 0) {
    const parent = key.length > 1 ? zoneStartOf(zones, key, afterLabel(key, 0)) : -1;
    if (parent > 0) start = parent;
  }
  const zone = start < 0 ? undefined : zones.get(key.slice(start));
  if (zone === undefined) return { answer: REFUSED, zoneStart: 0 };
  return { answer: answerIn(zone, nodeOf(zone, key, start), type), zoneStart: start };
}

/** The response if no zone of the server contains the name. */
export const REFUSED: ZoneAnswer = {
  rcode: 5,
  authoritative: false,
  answers: null,
  authorities: null,
  additionals: [],
};

const TYPE_DS = 43;
const TYPE_ANY = 255;

function answerIn(zone: ServedZone, node: ZoneNode | null, type: number): ZoneAnswer {
  if (node === null) return zone.noName;
  const found = type === TYPE_ANY ? node.any : node.answers.get(type);
  return found ?? zone.noData;
}

/**
 * Returns the node of a name. If the name does not exist, returns the wildcard directly below its nearest existing ancestor, if there is
 * one.
 */
function nodeOf(zone: ServedZone, key: string, zoneStart: number): ZoneNode | null {
  for (let at = 0; ; at = afterLabel(key, at)) {
    const suffix = at === 0 ? key : key.slice(at);
    const node = zone.nodes.get(suffix);
    if (node !== undefined) return at === 0 ? node : (zone.wildcards.get(suffix) ?? null);
    if (at >= zoneStart) return null;
  }
}

/** Returns the offset in `key` of the nearest served zone at or above the name; -1 if there is none. */
function zoneStartOf(zones: ServedZones, key: string, from: number): number {
  for (let at = from; at < key.length; at = afterLabel(key, at)) {
    if (zones.has(at === 0 ? key : key.slice(at))) return at;
  }
  return -1;
}

function afterLabel(key: string, at: number): number {
  return at + key.charCodeAt(at) + 1;
}
