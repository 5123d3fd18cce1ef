import type { EventResource } from '../../../shared/schema/event.ts';
import type { Gap } from '../event-reader.ts';

/** A row of the list: an event, or a gap where events were not read. */
export type ViewRow = EventResource | Gap;

export function isGap(row: ViewRow): row is Gap {
  return 'before' in row;
}

export type Sort = 'time' | 'host' | 'type' | 'delivery';

/** Adds new rows to sorted rows. Usually all new rows come last, so that no sort is needed. */
export function merged(rows: readonly ViewRow[], fresh: readonly ViewRow[]): readonly ViewRow[] {
  const [last, first] = [rows.at(-1), fresh[0]];
  const all = [...rows, ...fresh];
  return last === undefined || first === undefined || compared(last, first) < 0 ? all : inOrder(all);
}

export function inOrder(rows: readonly ViewRow[]): ViewRow[] {
  return rows.toSorted(compared);
}

function compared(one: ViewRow, other: ViewRow): number {
  const [a, b] = [placeOf(one), placeOf(other)];
  const difference = a.created_at === b.created_at ? 0 : Date.parse(a.created_at) - Date.parse(b.created_at);
  if (difference !== 0) return difference;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  return Number(isGap(other)) - Number(isGap(one));
}

function placeOf(row: ViewRow): EventResource {
  return isGap(row) ? row.before : row;
}

/**
 * Returns the index of a row in the shown rows. If the row is not shown, returns the index of the next row by time, or -1 if the list is
 * not sorted by time.
 */
export function placeIn(shown: readonly ViewRow[], row: ViewRow, sort: Sort): number {
  if (sort !== 'time') return shown.findIndex((each) => compared(each, row) === 0);
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compared(shown[middle] as ViewRow, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts rows. Rows with the same key stay in the order of time. */
export function sorted(rows: readonly ViewRow[], sort: Exclude<Sort, 'time'>): readonly ViewRow[] {
  const keys = new Map(rows.map((row) => [row, isGap(row) ? '' : SORT_KEYS[sort](row)]));
  return rows.toSorted((one, other) => {
    const [a = '', b = ''] = [keys.get(one), keys.get(other)];
    return a === b ? 0 : a < b ? -1 : 1;
  });
}

/** The functions that return the text to sort an event by. In the sort by delivery, failed deliveries come first, then pending ones. */
const SORT_KEYS: Record<Exclude<Sort, 'time'>, (event: EventResource) => string> = {
  host: ({ hostname }) => hostname,
  type: ({ type }) => type,
  delivery: ({ delivery: { status, last_status_code, last_error } }) =>
    `${['failed', 'pending', 'none', 'delivered'].indexOf(status)} ${last_status_code ?? last_error ?? ''}`,
};
