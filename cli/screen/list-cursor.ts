/** The selected row of a list, and which rows are visible on the screen. */
export interface ListCursor {
  /** The index of the selected row; -1 if the list is empty. */
  selected: number;
  /** True if the list follows its end, so that the newest row stays selected. */
  following: boolean;
  /** The index of the first visible row. */
  top: number;
  /** The number of rows that fit on the screen. */
  height: number;
}

export const FOLLOWING: ListCursor = { selected: -1, following: true, top: 0, height: 0 };

/** The scroll position in a page that may have more lines than fit on the screen. */
export interface ScrollPosition extends Pick<ListCursor, 'top' | 'height'> {
  /** The number of lines of the page. */
  total: number;
}

export const SCROLL_START: ScrollPosition = { top: 0, height: 1, total: 0 };

/** A move in a list or a page: by rows, by screens, or to a row. */
export type Move =
  | { kind: 'moved' | 'paged'; by: number }
  | { kind: 'jumped'; to: 'first' | 'last' | number };

export function isMove(action: { kind: string }): action is Move {
  return action.kind === 'moved' || action.kind === 'paged' || action.kind === 'jumped';
}

/**
 * Moves the selection. After a move up, the list no longer follows its end, so that the selected row stays in place. After a move down to
 * the last row, or a jump to the end, it follows its end again. @param count the number of rows.
 */
export function moved(cursor: ListCursor, move: Move, count: number): ListCursor {
  const selected = clamp(targetOf(move, cursor.selected, cursor.height, count), count);
  const following = move.kind === 'jumped' ? move.to === 'last' : selected === count - 1 && move.by > 0;
  return rowsInView({ ...cursor, selected, following }, count);
}

/** Scrolls a page. Stops at the first and the last line. */
export function scrolled(position: ScrollPosition, move: Move): ScrollPosition {
  const { top, height, total } = position;
  const to = targetOf(move, top, height, total);
  return { ...position, top: Math.max(0, Math.min(to, total - height)) };
}

function targetOf(move: Move, from: number, height: number, count: number): number {
  if (move.kind === 'jumped') return move.to === 'first' ? 0 : move.to === 'last' ? count - 1 : move.to;
  return from + (move.kind === 'paged' ? move.by * Math.max(1, height - 1) : move.by);
}

/** Scrolls so that the selected row is on the screen and the screen is full. @param count the number of rows. */
export function rowsInView(cursor: ListCursor, count: number): ListCursor {
  const { height, following } = cursor;
  const selected = following ? count - 1 : clamp(cursor.selected, count);
  const highest = Math.max(0, count - height);
  const top = Math.min(Math.max(cursor.top, selected - height + 1), Math.max(0, selected), highest);
  return { selected, following, height, top: following ? highest : Math.max(0, top) };
}

export function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, length === 0 ? -1 : 0), length - 1);
}
