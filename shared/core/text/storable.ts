import type { FieldProblem } from '../errors.ts';

/** The limit of the strictest common JSON parsers. A recursive function would overflow the stack at some thousands. */
const DEPTH_MAX = 64;

/** Returns the problem of text that Postgres cannot store, which is U+0000 or a lone surrogate; null if there is none. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? null : 'must not hold a lone surrogate';
}

/**
 * Lists the text in a JSON value that cannot be stored, also among its keys. Every body, query, seed and import passes it.
 * @param value at most 64 levels deep.
 */
export function unstorable(value: unknown, path: readonly string[] = []): FieldProblem[] {
  if (typeof value === 'string') {
    const message = textProblem(value);
    return message === null ? [] : [{ path: path.join('.'), message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(textProblem(key) === null ? [] : unstorable(key, path)),
    ...unstorable(each, [...path, key]),
  ]);
}

/** Returns whether a value is nested more than 64 levels deep. */
export function isTooDeep(value: unknown, levels = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1));
}
