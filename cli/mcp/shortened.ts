/** The longest text in a result. A logo, for example, is longer. */
const TEXT_CHARS_MAX = 4_000;

/** How many items of each list a shortened document lacks. */
export type LeftOut = Record<string, number>;

/**
 * Returns a document whose JSON has at most this many characters. Cuts long texts, then removes items from the end of the longest list until
 * the rest fits. A page that lost items has no `next_cursor`, because the next page would not contain them.
 */
export function shortened(
  document: unknown,
  charsMax: number,
): { document: unknown; leftOut: LeftOut | null } {
  const cut = withoutLongTexts(document);
  if (typeof cut !== 'object' || cut === null) return { document: cut, leftOut: null };
  const fields: Record<string, unknown> = { ...cut };
  const leftOut: LeftOut = {};
  for (let excess = sizeOf(fields) - charsMax; excess > 0; excess = sizeOf(fields) - charsMax) {
    const [name, list] = longestList(fields) ?? [];
    if (name === undefined || list === undefined) break;
    const kept = list.slice(0, fitting(list, sizeOf(list) - excess));
    leftOut[name] = (leftOut[name] ?? 0) + list.length - kept.length;
    fields[name] = kept;
  }
  if ('data' in leftOut) delete fields['next_cursor'];
  return { document: fields, leftOut: Object.keys(leftOut).length === 0 ? null : leftOut };
}

/** Returns how many items from the front fit. Leaves out at least one. */
function fitting(list: readonly unknown[], charsMax: number): number {
  let chars = 2;
  const end = list.findIndex((item) => {
    chars += sizeOf(item) + 1;
    return chars > charsMax;
  });
  return end === -1 ? list.length - 1 : end;
}

function longestList(fields: Record<string, unknown>): [string, unknown[]] | undefined {
  const lists = Object.entries(fields).filter(
    (field): field is [string, unknown[]] => Array.isArray(field[1]) && field[1].length > 0,
  );
  return lists.toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one))[0];
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') {
    const more = value.length - TEXT_CHARS_MAX;
    return more > 0 ? `${value.slice(0, TEXT_CHARS_MAX)}… (${more} more characters)` : value;
  }
  if (Array.isArray(value)) return value.map(withoutLongTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutLongTexts(each)]));
}
