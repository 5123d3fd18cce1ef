import type { SeenStatement } from './seen-statements.ts';

/**
 * Returns the statements of a create as a pgbench script. Each run of the script creates a domain and an event with new ids, hostname and
 * tokens.
 */
export function asScript(statements: readonly SeenStatement[]): string {
  const lines = statements.map(({ text, values }) => {
    const filled = text.replace(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));
    return `${filled.replaceAll('\n', ' ')};`;
  });
  return ['\\set n random(1000000000000000, 9000000000000000)', ...lines].join('\n');
}

/** Patterns of values that are unique to a row, each with an SQL expression that makes a new value from the number `n`. */
const OWN: readonly (readonly [like: RegExp, made: string])[] = [
  [/^dom_.{26}$/, "('dom_0000000000' || :n)"],
  [/^evt_.{26}$/, "('evt_0000000000' || :n)"],
  [/^careers\.example\.com$/, "('c' || :n || '.example.com')"],
  [/^[\w-]{22}$/, "('000000' || :n)"],
];

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return String(value);
  const text = String(value);
  const [, own] = OWN.find(([like]) => like.test(text)) ?? [];
  // pgbench reads a colon as the start of a variable, even within quotes.
  return own ?? `e'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`;
}
