import type { Flag } from './tables.ts';

/** How values stand in a row of either database: flags as 0 and 1, JSON as text. */
export function toFlag(value: boolean): Flag {
  return value ? 1 : 0;
}

export function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** What `toJson` wrote; the type is the column's, which only the repository writes. */
export function fromJson<T extends object>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
