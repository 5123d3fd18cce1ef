import type { FieldProblem } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { textProblem } from '../text/printable.ts';

export type Metadata = Record<string, unknown>;

/** Maximum nesting of metadata. An event adds three levels around it, and the strictest common JSON parsers accept 64 levels. */
const DEPTH_MAX = 60;

/**
 * Validates `metadata` (`docs/domains.md`): null, or a JSON object of at most 4096 bytes as compact JSON in UTF-8.
 * @returns the object itself, or what is wrong with the value.
 */
export function parseMetadata(
  value: unknown,
): { ok: true; value: Metadata | null } | { ok: false; problem: FieldProblem } {
  if (value === null) return { ok: true, value: null };
  const message = isObject(value)
    ? (valueProblem(value, 1) ?? sizeProblem(value))
    : 'must be a JSON object or null';
  if (message !== null) return { ok: false, problem: { path: 'metadata', message } };
  return { ok: true, value: value as Metadata };
}

/** Returns true for a plain object. Returns false for arrays, and for class instances, which may serialize to something else. */
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
  if (!Array.isArray(value) && !isObject(value)) return 'must hold only JSON values';
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

function sizeProblem(value: Metadata): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes <= LIMITS.metadata_bytes_max) return null;
  return `must be at most ${LIMITS.metadata_bytes_max} bytes as JSON without spaces, but has ${bytes}`;
}
