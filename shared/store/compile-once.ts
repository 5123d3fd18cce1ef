import type { CompiledQuery } from 'kysely';
import type { DialectFlags, Store } from './store.ts';

/**
 * Returns a function that returns a statement with the given values. The statement is compiled once for each database, because building and
 * compiling it takes longer than SQLite takes to run it.
 * @param build compiles the statement. Each given value stands for the value of that name, so it may only be compared or written, not read.
 */
export function compileOnce<Values extends object, Row>(
  build: (store: Store, given: Values) => CompiledQuery<Row>,
): (store: Store, values: Values) => CompiledQuery<Row> {
  const compiled = new WeakMap<DialectFlags, CompiledQuery<Row>>();
  return (store, values) => {
    let query = compiled.get(store.flags);
    if (query === undefined) {
      const given = Object.fromEntries(Object.keys(values).map((name) => [name, new Placeholder(name)]));
      query = build(store, given as Values);
      compiled.set(store.flags, query);
    }
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? givenValue(values, each.name as keyof Values) : each,
    );
    return { ...query, parameters };
  };
}

/** @throws TypeError if the value is missing: each call must give the values of the first. */
function givenValue<Values extends object>(values: Values, name: keyof Values): Values[keyof Values] {
  const value = values[name];
  if (value === undefined) throw new TypeError(`the statement needs a value of ${String(name)}`);
  return value;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}
