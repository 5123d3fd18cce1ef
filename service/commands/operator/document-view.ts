/** Returns the fields of a document for people: `created_at` is shown as `created at`, and true as `yes`. */
export function documentFields<T extends object>(
  document: T,
  names: readonly (keyof T & string)[],
): [name: string, value: unknown][] {
  return names.map((name) => [name.replaceAll('_', ' '), shownValue(document[name])]);
}

/** Returns a row for each document, with these fields of it. */
export function documentRows<T extends object>(
  documents: readonly T[],
  names: readonly (keyof T)[],
): unknown[][] {
  return documents.map((document) => names.map((name) => shownValue(document[name])));
}

function shownValue(value: unknown): unknown {
  return typeof value === 'boolean' ? yesNo(value) : value;
}

export function yesNo(value: boolean): string {
  return value ? 'yes' : 'no';
}
