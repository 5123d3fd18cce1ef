import type { EventDetail } from '../../../shared/schema/event.ts';
import { FOLLOWING, inView, jumpedTo, type ListCursor, movedBy } from '../../screen/list-cursor.ts';
import { endOf, type Notice } from '../../screen/notice.tsx';
import { type Measured, SCROLL_START, type ScrollPosition, scrolledBy } from '../../screen/scroll.tsx';
import { type TextInput, textInput } from '../../screen/text-input.ts';
import { type ActivityRow, ROW_KINDS, type RowKind } from './activity-row.ts';

/** Everything that the emulator's screen shows. */
export interface ScreenState {
  rows: readonly ActivityRow[];
  /** The rows that the filter lets through. */
  shown: readonly ActivityRow[];
  /** The only kind that is shown; null shows all. */
  only: RowKind | null;
  cursor: ListCursor;
  panel: ScreenPanel;
  /** The position in the lines of the open panel. */
  scroll: ScrollPosition;
  /** The last result or error. It goes away by itself. */
  notice: (Notice & { untilMs: number }) | null;
  counts: { domains: number; events: number };
  clock: ScreenClock;
  /** The current time of `elapsedMs`. */
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
  /** What happened in one row. An event is read when its page opens; null until then. */
  | { open: 'item'; row: ActivityRow; event: EventDetail | null }
  | { open: 'advance'; input: TextInput }
  | { open: 'reset' };

export type ScreenAction =
  | { kind: 'happened'; rows: readonly ActivityRow[] }
  | { kind: 'facts'; counts: ScreenState['counts']; clock: ScreenClock; nowMs: number }
  | { kind: 'noticed'; notice: Notice | null }
  | { kind: 'opened'; panel: ScreenPanel }
  | { kind: 'loaded'; row: ActivityRow; event: EventDetail }
  | { kind: 'moved'; by: number }
  | { kind: 'jumped'; to: 'first' | 'last' }
  | { kind: 'scrolled'; by: number }
  | { kind: 'measured'; measured: Measured }
  | { kind: 'resized'; height: number }
  | { kind: 'filtered' }
  | { kind: 'cleared' };

/** Older rows are dropped: the dashboard has everything. */
const ROWS_MAX = 5_000;

export const CLOSED: ScreenPanel = { open: 'activity' };

export function initialScreen(clock: ScreenClock, nowMs: number): ScreenState {
  return {
    rows: [],
    shown: [],
    only: null,
    cursor: FOLLOWING,
    panel: CLOSED,
    scroll: SCROLL_START,
    notice: null,
    counts: { domains: 0, events: 0 },
    clock,
    nowMs,
  };
}

/** Returns the panel that asks for a time to move the clock to. */
export function advancePanel(text = ''): ScreenPanel {
  return { open: 'advance', input: textInput(text) };
}

export function reduceScreen(state: ScreenState, action: ScreenAction): ScreenState {
  const { cursor, shown, scroll, panel } = state;
  switch (action.kind) {
    case 'happened': {
      const rows = [...state.rows, ...action.rows].slice(-ROWS_MAX);
      const next = matching(rows, state.only);
      const added = action.rows.filter((row) => isShown(row, state.only)).length;
      // A reader who has scrolled up keeps the same rows on the screen, also when the oldest rows are dropped.
      const dropped = shown.length + added - next.length;
      const kept = { ...cursor, selected: cursor.selected - dropped, top: cursor.top - dropped };
      return { ...state, rows, shown: next, cursor: inView(kept, next.length) };
    }
    case 'facts': {
      const isOver = state.notice !== null && action.nowMs >= state.notice.untilMs;
      const { counts, clock, nowMs } = action;
      return { ...state, counts, clock, nowMs, notice: isOver ? null : state.notice };
    }
    case 'noticed': {
      const { notice } = action;
      return { ...state, notice: notice && { ...notice, untilMs: endOf(notice, state.nowMs) } };
    }
    case 'opened':
      return { ...state, panel: action.panel, scroll: { ...scroll, top: 0 } };
    case 'loaded':
      return panel.open === 'item' && panel.row === action.row
        ? { ...state, panel: { ...panel, event: action.event } }
        : state;
    case 'moved':
      return { ...state, cursor: movedBy(cursor, action.by, shown.length) };
    case 'jumped':
      return { ...state, cursor: jumpedTo(cursor, action.to, shown.length) };
    case 'scrolled':
      return { ...state, scroll: scrolledBy(scroll, action.by) };
    case 'measured':
      return { ...state, scroll: scrolledBy({ ...scroll, ...action.measured }, 0) };
    case 'resized':
      return { ...state, cursor: inView({ ...cursor, height: action.height }, shown.length) };
    case 'filtered': {
      const next = state.only === null ? 0 : ROW_KINDS.indexOf(state.only) + 1;
      const only = ROW_KINDS[next] ?? null;
      const rows = matching(state.rows, only);
      return { ...state, only, shown: rows, cursor: jumpedTo(cursor, 'last', rows.length) };
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
