import pg from 'pg';

/** A statement as the driver was given it. */
export interface Statement {
  text: string;
  values: unknown[];
}

/** What `work` sends to Postgres, beside what notices send over a connection of their own. */
export async function seenStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = [];
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, statement: string | { text: string }, ...rest: unknown[]) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const values = rest.find((each) => Array.isArray(each)) ?? [];
      if (!/^listen|pg_notify/.test(text)) seen.push({ text, values });
      return Reflect.apply(query, this, [statement, ...rest]);
    },
  });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return seen;
}
