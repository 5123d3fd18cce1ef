import type { EventDetail } from '../../../shared/schema/event.ts';
import { type FooterNotice, lasting, noticedAt, type ShownNotice } from '../../screen/footer.tsx';
import {
  FOLLOWING,
  type ListCursor,
  type Move,
  moved,
  rowsInView,
  SCROLL_START,
  type ScrollPosition,
  scrolled,
} from '../../screen/list-cursor.ts';
import type { TextInput } from '../../screen/text-input.ts';
import { type ActivityRow, ROW_KINDS, type RowKind } from './activity-row.ts';

/** Everything that the emulator's screen shows. */
export interface ScreenState {
  rows: readonly ActivityRow[];
  /** The rows that match the filter. */
  shown: readonly ActivityRow[];
  /** The filter: the only kind of rows to show; null shows all kinds. */
  only: RowKind | null;
  cursor: ListCursor;
  panel: ScreenPanel;
  /** The scroll position in the open panel. */
  scroll: ScrollPosition;
  /** The last result or error to show in the footer. */
  notice: ShownNotice | null;
  counts: { domains: number; events: number };
  clock: ScreenClock;
  /** The current value of the monotonic clock `elapsedMs`. */
  nowMs: number;
}

/** The emulator's clock: its mode, its time (RFC 3339), and how far it was moved. */
export interface ScreenClock {
  mode: string;
  now: string;
  aheadMs: number;
}

export type ScreenPanel =
  | { open: 'activity' }
  | { open: 'addresses' }
  | { open: 'keys' }
  /** The detail page of a row. `event` is loaded when the page opens; null until then. */
  | { open: 'item'; row: ActivityRow; event: EventDetail | null }
  | { open: 'advance'; input: TextInput }
  | { open: 'reset' };

export type ScreenAction =
  | { kind: 'happened'; rows: readonly ActivityRow[] }
  | { kind: 'facts'; counts: ScreenState['counts']; clock: ScreenClock; nowMs: number }
  | { kind: 'noticed'; notice: FooterNotice | null }
  | { kind: 'opened'; panel: ScreenPanel }
  | { kind: 'loaded'; row: ActivityRow; event: EventDetail }
  | Move
  | { kind: 'measured'; height: number; total: number }
  | { kind: 'resized'; height: number }
  | { kind: 'filtered' }
  | { kind: 'cleared' };

/** The screen keeps at most this many rows. The dashboard also shows older activity. */
const ROWS_MAX = 5_000;

export function initialScreen(clock: ScreenClock, nowMs: number): ScreenState {
  return {
    rows: [],
    shown: [],
    only: null,
    cursor: FOLLOWING,
    panel: { open: 'activity' },
    scroll: SCROLL_START,
    notice: null,
    counts: { domains: 0, events: 0 },
    clock,
    nowMs,
  };
}

export function reduceScreen(state: ScreenState, action: ScreenAction): ScreenState {
  const { cursor, shown, scroll, panel } = state;
  switch (action.kind) {
    case 'happened': {
      const rows = [...state.rows, ...action.rows].slice(-ROWS_MAX);
      const next = matching(rows, state.only);
      const added = action.rows.filter((row) => isShown(row, state.only)).length;
      // If the user has scrolled up, the same rows stay on the screen even when the oldest rows are dropped.
      const dropped = shown.length + added - next.length;
      const kept = { ...cursor, selected: cursor.selected - dropped, top: cursor.top - dropped };
      return { ...state, rows, shown: next, cursor: rowsInView(kept, next.length) };
    }
    case 'facts': {
      const { counts, clock, nowMs } = action;
      return { ...state, counts, clock, nowMs, notice: lasting(state.notice, nowMs) };
    }
    case 'noticed':
      return { ...state, notice: noticedAt(action.notice, state.nowMs) };
    case 'opened':
      return { ...state, panel: action.panel, scroll: { ...scroll, top: 0 } };
    case 'loaded':
      return panel.open === 'item' && panel.row === action.row
        ? { ...state, panel: { ...panel, event: action.event } }
        : state;
    case 'moved':
    case 'paged':
    case 'jumped':
      return panel.open === 'activity'
        ? { ...state, cursor: moved(cursor, action, shown.length) }
        : { ...state, scroll: scrolled(scroll, action) };
    case 'measured': {
      const { height, total } = action;
      return { ...state, scroll: scrolled({ ...scroll, height, total }, { kind: 'moved', by: 0 }) };
    }
    case 'resized':
      return { ...state, cursor: rowsInView({ ...cursor, height: action.height }, shown.length) };
    case 'filtered': {
      const next = state.only === null ? 0 : ROW_KINDS.indexOf(state.only) + 1;
      const only = ROW_KINDS[next] ?? null;
      const rows = matching(state.rows, only);
      return { ...state, only, shown: rows, cursor: rowsInView({ ...cursor, following: true }, rows.length) };
    }
    case 'cleared':
      return { ...state, rows: [], shown: [], cursor: { ...FOLLOWING, height: cursor.height }, notice: null };
  }
}

function matching(rows: readonly ActivityRow[], only: RowKind | null): readonly ActivityRow[] {
  return only === null ? rows : rows.filter((row) => isShown(row, only));
}

function isShown({ kind }: ActivityRow, only: RowKind | null): boolean {
  return only === null || kind === null || kind === only;
}
