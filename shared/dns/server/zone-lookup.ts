import type { ServedZone, ZoneAnswer, ZoneNode } from './zone.ts';

/** The zones of a server, by the key of their names. */
export type ServedZones = ReadonlyMap<string, ServedZone>;

/** The answer to a question, and where the name of the zone that gave it begins in the question's name. */
export interface FoundAnswer {
  answer: ZoneAnswer;
  /** The name of the zone begins this many bytes after the start of the question's name. */
  zoneStart: number;
}

/**
 * Looks a question up in the zones of a server (RFC 1034 section 4.3.2, RFC 4592 section 3.3.1). The server has no delegations, no CNAME
 * records and no recursion, so each question has one step.
 * @param key the name, as `nameKey` returns it. @param type the number of the type.
 */
export function findAnswer(zones: ServedZones, key: string, type: number): FoundAnswer {
  let start = zoneStartOf(zones, key, 0);
  // A DS record belongs to the parent's side of a zone cut (RFC 4035 section 3.1.4.1).
  if (type === TYPE_DS && start === 0) {
    const parent = key.length > 1 ? zoneStartOf(zones, key, afterLabel(key, 0)) : -1;
    if (parent > 0) start = parent;
  }
  const zone = start < 0 ? undefined : zones.get(key.slice(start));
  if (zone === undefined) return { answer: REFUSED, zoneStart: 0 };
  return { answer: answerIn(zone, nodeOf(zone, key, start), type), zoneStart: start };
}

/** The server does not have the name, and asks no other server. */
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

/** Finds a name, or the wildcard directly below its nearest ancestor that exists. */
function nodeOf(zone: ServedZone, key: string, zoneStart: number): ZoneNode | null {
  for (let at = 0; ; at = afterLabel(key, at)) {
    const suffix = at === 0 ? key : key.slice(at);
    const node = zone.nodes.get(suffix);
    if (node !== undefined) return at === 0 ? node : (zone.wildcards.get(suffix) ?? null);
    if (at >= zoneStart) return null;
  }
}

/** Returns where the nearest zone at or above a name begins in its key, or -1. */
function zoneStartOf(zones: ServedZones, key: string, from: number): number {
  for (let at = from; at < key.length; at = afterLabel(key, at)) {
    if (zones.has(at === 0 ? key : key.slice(at))) return at;
  }
  return -1;
}

function afterLabel(key: string, at: number): number {
  return at + key.charCodeAt(at) + 1;
}
