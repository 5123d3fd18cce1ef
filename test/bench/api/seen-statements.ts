import pg from 'pg';

/** A statement as the code passes it to the Postgres driver. */
export interface SeenStatement {
  text: string;
  values: unknown[];
}

/** Returns the statements that `work` sends to Postgres, except LISTEN and `pg_notify`, which use a separate connection. */
export async function seenStatements(work: () => Promise<unknown>): Promise<SeenStatement[]> {
  const seen: SeenStatement[] = [];
  const { query } = pg.Client.prototype;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, statement: string | SeenStatement, ...rest: unknown[]) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const values = rest.find((each) => Array.isArray(each)) ?? Object(statement).values ?? [];
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
