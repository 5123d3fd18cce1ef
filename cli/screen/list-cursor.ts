/** The selected row of a list, and the rows that are on the screen. */
export interface ListCursor {
  /** The index in the list; -1 if the list is empty. */
  selected: number;
  /** True if the newest row stays selected. */
  following: boolean;
  /** The index of the first row on the screen. */
  top: number;
  /** The number of rows on the screen. */
  height: number;
}

export const FOLLOWING: ListCursor = { selected: -1, following: true, top: 0, height: 0 };

/** Moves the selection. Moving up stops following, so that the row stays in place. Moving down to the last row follows again. */
export function movedBy(cursor: ListCursor, by: number, count: number): ListCursor {
  const selected = clamp(cursor.selected + by, count);
  return inView({ ...cursor, selected, following: selected === count - 1 && by > 0 }, count);
}

/** Selects a row. Only a jump to the last row by name follows it. */
export function jumpedTo(cursor: ListCursor, to: 'first' | 'last' | number, count: number): ListCursor {
  const selected = to === 'first' ? 0 : to === 'last' ? count - 1 : to;
  return inView({ ...cursor, selected: clamp(selected, count), following: to === 'last' }, count);
}

/** Scrolls so that the selected row is on the screen and the screen is full. @param count the number of rows. */
export function inView(cursor: ListCursor, count: number): ListCursor {
  const { height, following } = cursor;
  const selected = following ? count - 1 : clamp(cursor.selected, count);
  const highest = Math.max(0, count - height);
  const top = Math.min(Math.max(cursor.top, selected - height + 1), Math.max(0, selected), highest);
  return { selected, following, height, top: following ? highest : Math.max(0, top) };
}

export function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, length === 0 ? -1 : 0), length - 1);
}
