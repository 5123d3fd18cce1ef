import type { CompiledQuery } from 'kysely';
import type { DialectFlags, Store } from './store.ts';

/**
 * Returns a function that runs a query. The query is compiled once for each database, because building and compiling it takes longer than
 * SQLite takes to run it.
 * @param names of the values that change from run to run.
 * @param build compiles the query. Each given value stands for the value of that name, so it may only be compared or written, not read.
 */
export function compileOnce<Values extends object, Row>(
  names: readonly (keyof Values & string)[],
  build: (store: Store, given: Values) => CompiledQuery<Row>,
): (store: Store, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<DialectFlags, CompiledQuery<Row>>();
  return async (store, values) => {
    let query = compiled.get(store.flags);
    if (query === undefined) {
      const given = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      query = build(store, given as Values);
      compiled.set(store.flags, query);
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name as keyof Values] : each,
    );
    const { rows } = await store.db.executeQuery<Row>({ ...query, parameters });
    return rows;
  };
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
