import type { FuzzedResponse } from './openapi-fuzzer.ts';

/** A response without random or measured parts, so that two servers can be compared. */
export interface StableResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Patterns of values that each server generates itself. Each value is replaced by its kind and its number within the kind. */
const MADE_UP: readonly [kind: string, pattern: RegExp][] = [
  ['id', /\b(?:app|crt|key|dom|evt|dlv|req)_[0-9a-z]{26}\b/g],
  ['key', /\bsk_(?:live|test)_\w+/g],
  ['secret', /\bwhsec_[\w+/=-]+/g],
  ['connect page', /(?<=\/connect\/)[\w-]+/g],
  ['connect token', /(?<="token":")ct_[\w.-]+/g],
  ['edge label', /\b[0-9a-f]{16}(?=\.edge\.nameplate\.test\b)/g],
  ['record', /(?<="_service\\?",\\?"value\\?":\\?")[\w-]{22}/g],
  ['cursor', /(?<="next_cursor":")[\w-]+/g],
];
/**
 * Values that differ between two runs of the same server. Two are not obvious: the rate limit refills by the machine's time, and the last
 * use of a key is written after the response.
 */
const RANDOM =
  /(?<="last4":")\w{4}(?=")|(?<="(?:origin_latency_ms|response_ms)":)\d+|(?<="api";r=)\d+|(?<="last_used_at":)(?:null|"[^"]*")/g;
/** Matches the hours and days of traffic, which do not depend on the start time of a server. */
const WHOLE_HOUR = /\b\d{4}-\d\d-\d\dT\d\d:00:00\.000Z/g;
const TIMESTAMP = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** Headers that depend on the connection and on the length of generated values. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'date', 'keep-alive']);

/**
 * Returns a function that replaces generated values by stable names.
 * @param startedAt the server's time at the start, in milliseconds. Timestamps become the time since then.
 */
export function createStableNames(baseUrl: string, startedAt: number) {
  const names = new Map<string, string>();
  const nameOf = (kind: string, value: string): string => {
    const name = names.get(value) ?? `<${kind} ${names.size}>`;
    names.set(value, name);
    return name;
  };
  const stable = (text: string): string => {
    let result = text
      .replaceAll(baseUrl, '<base>')
      .replace(RANDOM, '<random>')
      .replace(WHOLE_HOUR, '<whole hour>');
    for (const [kind, pattern] of MADE_UP) result = result.replace(pattern, (value) => nameOf(kind, value));
    return result.replace(TIMESTAMP, (value) => `<${Date.parse(value) - startedAt} ms>`);
  };
  return ({ status, headers, text }: FuzzedResponse): StableResponse => {
    const kept = [...headers].filter(([name]) => !OF_CONNECTION.has(name));
    return {
      status,
      headers: Object.fromEntries(kept.map(([name, value]) => [name, stable(value)])),
      body: stable(text),
    };
  };
}
