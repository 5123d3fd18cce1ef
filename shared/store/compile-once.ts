import type { CompiledQuery } from 'kysely';
import type { DialectFlags, Store } from './store.ts';

/**
 * Returns a function that returns a statement with the given values. The function compiles the statement once for each database, because
 * SQLite runs a statement faster than Kysely builds and compiles it.
 * @param build builds the statement from placeholders, one for each name. `build` may compare or write a placeholder, but not read its
 * value.
 * @returns a function that throws TypeError unless it gets values of the same names each time.
 */
export function compileOnce<Values extends object, Row, S extends Store = Store>(
  build: (store: S, given: Values) => CompiledQuery<Row>,
): (store: S, values: Values) => CompiledQuery<Row> {
  const compiled = new WeakMap<DialectFlags, { query: CompiledQuery<Row>; names: string[] }>();
  return (store, values) => {
    const names = Object.keys(values);
    let known = compiled.get(store.flags);
    if (known === undefined) {
      const given = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]));
      known = { query: build(store, given as Values), names };
      compiled.set(store.flags, known);
    }
    if (names.length !== known.names.length) {
      throw new TypeError(`the statement needs values of ${known.names}, and got ${names}`);
    }
    const parameters = known.query.parameters.map((each) =>
      each instanceof Placeholder ? givenValue(values, each.name as keyof Values) : each,
    );
    return { ...known.query, parameters };
  };
}

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
