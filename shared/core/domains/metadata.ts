import type { FieldProblem } from '../errors.ts';
import { LIMITS } from '../limits.ts';

export type Metadata = Record<string, unknown>;

/** With the three levels of an event around it, metadata stays within 64, where the strictest common JSON readers stop. */
const DEPTH_MAX = 60;

/**
 * Reads `metadata` (`docs/domains.md`): a JSON object of at most 4096 bytes in UTF-8, serialised compactly, or null.
 * @returns the object itself, or what is wrong with it.
 */
export function parseMetadata(value: unknown): { value: Metadata | null } | { problem: FieldProblem } {
  if (value === null) return { value: null };
  const message = isObject(value)
    ? (valueProblem(value, 1) ?? sizeProblem(value))
    : 'must be a JSON object or null';
  if (message !== null) return { problem: { path: 'metadata', message } };
  return { value: value as Metadata };
}

/** A plain object: not an array, and not a class's, which would be serialised as something else. */
function isObject(value: unknown): value is Metadata {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function valueProblem(value: unknown, depth: number): string | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'string') return textProblem(value);
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : 'must not hold a number beyond 1.8e308';
  if (!Array.isArray(value) && !isObject(value)) return 'must hold JSON values only';
  if (depth > DEPTH_MAX) return `must not be nested deeper than ${DEPTH_MAX} levels`;
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((each) => ['', each])
    : Object.entries(value);
  for (const [key, each] of entries) {
    const problem = textProblem(key) ?? valueProblem(each, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** Postgres' jsonb holds neither. */
function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not hold the character U+0000';
  return text.isWellFormed() ? null : 'must not hold half of a surrogate pair';
}

function sizeProblem(value: Metadata): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes <= LIMITS.metadata_bytes_max) return null;
  return `must be at most ${LIMITS.metadata_bytes_max} bytes as JSON without spaces, and is ${bytes}`;
}
