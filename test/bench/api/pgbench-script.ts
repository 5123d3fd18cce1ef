import type { Statement } from './seen-statements.ts';

/** The statements of a create as a script of pgbench, which makes a domain, an event, a hostname and tokens of its own each time. */
export function asScript(statements: readonly Statement[]): string {
  const lines = statements.map(({ text, values }) => {
    const filled = text.replace(/\$(\d+)/g, (_, number) => literal(values[Number(number) - 1]));
    return `${filled.replaceAll('\n', ' ')};`;
  });
  return ['\\set n random(1000000000000000, 9000000000000000)', ...lines].join('\n');
}

/** Values that are one row's own, as long as they were: made of the number `n`. */
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
  // A colon would begin a variable, in quotes too.
  return own ?? `e'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`;
}
