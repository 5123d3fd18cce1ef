import { LRUCache } from 'lru-cache';

/** A statement gets a name when it is used this often. Preparing a statement that runs once would only cost the server memory. */
const USES_MIN = 10;
/** The maximum number of named statements. Each connection may prepare all of them, and the server stores their plans in memory. */
const NAMES_MAX = 250;
/**
 * The maximum number of statements whose uses are counted. A limit is needed, because a statement with a list of values has another text
 * for each length.
 */
const COUNTED_MAX = 1_000;
const TEXT_LENGTH_MAX = 8_000;

/**
 * The names under which connections prepare statements. Postgres parses a prepared statement once for each connection, and can reuse its
 * plan. For most statements, parsing and planning take longer than execution (`decisions/0093`).
 */
export function createStatementNames() {
  const names = new Map<string, string>();
  const counted = new LRUCache<string, number>({ max: COUNTED_MAX });
  let made = 0;
  return {
    /** Counts a use of a statement. @returns the statement's name, or undefined if it has none. */
    of(text: string): string | undefined {
      const known = names.get(text);
      if (known !== undefined || names.size >= NAMES_MAX || text.length > TEXT_LENGTH_MAX) return known;
      const uses = (counted.get(text) ?? 0) + 1;
      counted.set(text, uses);
      if (uses >= USES_MIN) names.set(text, `s${++made}`);
      return names.get(text);
    },

    /** Forgets all names. Statements get new names, because connections still have the old statements under the old names. */
    renew(): void {
      names.clear();
      counted.clear();
    },
  };
}
