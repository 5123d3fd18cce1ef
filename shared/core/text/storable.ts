import type { FieldProblem } from '../errors.ts';

/** The limit of the strictest common JSON parsers. A recursive function would overflow the stack at some thousands. */
const DEPTH_MAX = 64;

/** Returns the problem of text that Postgres cannot store, which is U+0000 or a lone surrogate; null if there is none. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? null : 'must not hold a lone surrogate';
}

/**
 * Lists what in a JSON value cannot be stored: text, also among the keys, and values that are nested more than 64 levels deep. Every body,
 * query, seed and import passes it.
 */
export function unstorable(value: unknown, path: readonly string[] = [], levels = DEPTH_MAX): FieldProblem[] {
  if (typeof value === 'string') {
    const message = textProblem(value);
    return message === null ? [] : [{ path: path.join('.'), message }];
  }
  if (typeof value !== 'object' || value === null) return [];
  if (levels === 0) return [{ path: path[0] ?? '', message: 'is nested too deeply' }];
  return Object.entries(value).flatMap(([key, each]) => [
    ...(textProblem(key) === null ? [] : unstorable(key, path)),
    ...unstorable(each, [...path, key], levels - 1),
  ]);
}
