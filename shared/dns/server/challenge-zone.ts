import { typeNumber } from '../wire/record-data.ts';
import { packRecords, QUESTION_NAME } from './packed-records.ts';
import { createServedZone, nameKey, type ServedZone, type ZoneContent, type ZoneNode } from './zone.ts';

/**
 * A zone whose TXT records change while the server runs. They are the responses to challenges that customers delegate to us (RFC 8555
 * section 8.4).
 */
export interface ChallengeZone {
  zone: ServedZone;
  /** Replaces all TXT records. @param texts the values by name. A name can have several values, one for each open order. */
  replace(texts: ReadonlyMap<string, readonly string[]>): void;
}

/**
 * Creates the zone. Every name directly below it exists, with or without a record. So a resolver that queries a name too early caches only
 * that there is no TXT record, and not that the name does not exist (RFC 8020).
 */
export function createChallengeZone(content: ZoneContent): ChallengeZone {
  const base = createServedZone(content);
  const nodes = new Map(base.nodes);
  let keys: string[] = [];
  return {
    zone: { ...base, nodes, wildcards: new Map([[base.key, EMPTY]]) },
    replace(texts) {
      for (const key of keys) nodes.delete(key);
      keys = [];
      for (const [name, values] of texts) {
        const key = nameKey(name);
        nodes.set(key, textNode(content, values));
        keys.push(key);
      }
    },
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
