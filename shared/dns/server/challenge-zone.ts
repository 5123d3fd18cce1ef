import { typeNumber } from '../wire/record-data.ts';
import { packRecords, QUESTION_NAME } from './packed-records.ts';
import { createServedZone, type ServedZone, type ZoneContent, type ZoneNode } from './zone.ts';

/**
 * Creates the zone of the challenges that customers delegate to us (RFC 8555 section 8.4). Its TXT records change while the server runs.
 * Every name below it exists, with or without a record. So a resolver that queries a name too early caches only that there is no TXT record,
 * and not that the name does not exist (RFC 8020).
 * @param findTexts returns the values of the TXT records of a name directly below the zone, given the name's first label.
 */
export function createChallengeZone(
  content: ZoneContent,
  findTexts: (label: string) => readonly string[],
): ServedZone {
  const base = createServedZone(content);

  function challengesOf(key: string): ZoneNode | undefined {
    const labelEnd = key.length - base.key.length;
    if (key.charCodeAt(0) + 1 !== labelEnd) return undefined;
    const texts = findTexts(key.slice(1, labelEnd));
    return texts.length === 0 ? undefined : textNode(content, texts);
  }

  return {
    ...base,
    nodes: { get: (key) => base.nodes.get(key) ?? challengesOf(key) },
    wildcards: new Map([[base.key, EMPTY]]),
  };
}

const EMPTY: ZoneNode = { answers: new Map(), any: null };

function textNode({ name, ttlS }: ZoneContent, values: readonly string[]): ZoneNode {
  const contents = values.map((text) => ({ type: 'TXT' as const, text }));
  const answer = {
    rcode: 0,
    authoritative: true,
    answers: packRecords(name, QUESTION_NAME, ttlS, contents),
    authorities: null,
    additionals: [],
  } as const;
  return { answers: new Map([[typeNumber('TXT'), answer]]), any: answer };
}
