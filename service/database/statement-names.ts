import { LRUCache } from 'lru-cache';

/** How often a text is sent before it gets a name. A statement that runs once would only cost the server memory. */
const USES_MIN = 10;
/** The most statements that each connection prepares. The server keeps the plan of each in memory. */
const NAMES_MAX = 250;
/** Texts with a list of values differ with the length of the list, so there may be any number of them. */
const COUNTED_MAX = 1_000;
const TEXT_LENGTH_MAX = 8_000;

/**
 * The names under which connections prepare statements. Postgres parses and plans a prepared statement once for each connection, which takes
 * it longer than to execute most statements (`decisions/0093`).
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new LRUCache<string, number>({ max: COUNTED_MAX });
  #made = 0;

  /** Counts a use of a statement. @returns its name, or undefined if it is not used often. */
  of(text: string): string | undefined {
    const name = this.#names.get(text);
    if (name !== undefined || this.#names.size >= NAMES_MAX || text.length > TEXT_LENGTH_MAX) return name;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    this.#uses.set(text, uses);
    if (uses < USES_MIN) return undefined;
    const made = `s${++this.#made}`;
    this.#names.set(text, made);
    return made;
  }

  /** Forgets all names. Each statement gets a new one, because connections keep the old statements. */
  renew(): void {
    this.#names.clear();
    this.#uses.clear();
  }
}
