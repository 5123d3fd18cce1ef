import type { FuzzedResponse } from './openapi-fuzzer.ts';

/** A response without what is random or measured, so that two servers can be compared. */
export interface StableResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Values that each server makes up. Each is named by its kind and the order in which the values appear. */
const MADE_UP: readonly [kind: string, pattern: RegExp][] = [
  ['id', /\b(?:app|key|dom|evt|dlv|req)_[0-9a-z]{26}\b/g],
  ['key', /\bsk_(?:live|test)_\w+/g],
  ['secret', /\bwhsec_[\w+/=-]+/g],
  ['connect token', /(?<=\/connect\/)[\w-]+/g],
  ['edge label', /\b[0-9a-f]{16}(?=\.edge\.nameplate\.test\b)/g],
  ['record', /(?<="_service\\?",\\?"value\\?":\\?")[\w-]{22}/g],
  ['cursor', /(?<="next_cursor":")[\w-]+/g],
];
/** The end of a key, and measured times: they differ between two runs of one server. */
const RANDOM = /(?<="last4":")\w{4}(?=")|(?<="(?:origin_latency_ms|response_ms)":)\d+/g;
const TIMESTAMP = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
/** They follow from the connection and from the length of the made-up values. */
const OF_CONNECTION = new Set(['connection', 'content-length', 'date', 'keep-alive']);

/**
 * Returns a function that puts stable names in the place of what a server makes up.
 * @param startedAt the server's time at the start, in milliseconds: timestamps are told as the time since then.
 */
export function createStableNames(baseUrl: string, startedAt: number) {
  const names = new Map<string, string>();
  const nameOf = (kind: string, value: string): string => {
    const name = names.get(value) ?? `<${kind} ${names.size}>`;
    names.set(value, name);
    return name;
  };
  const stable = (text: string): string => {
    let result = text.replaceAll(baseUrl, '<base>').replace(RANDOM, '<random>');
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
