import { type ActivityRow, ROW_KINDS, type RowKind } from './activity-row.ts';

/** Everything that the emulator's screen shows. */
export interface ScreenState {
  rows: readonly ActivityRow[];
  /** The only kind that is shown; null shows all. */
  only: RowKind | null;
  /** How many shown rows are below the screen. 0 follows new rows. */
  below: number;
  panel: ScreenPanel;
  notice: ScreenNotice | null;
  counts: { domains: number; events: number };
  clock: { mode: string; now: string };
  size: { columns: number; rows: number };
}

export type ScreenPanel =
  | { open: 'activity' }
  | { open: 'addresses' }
  | { open: 'keys' }
  | { open: 'advance'; text: string }
  | { open: 'reset' };

export interface ScreenNotice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

export type ScreenAction =
  | { kind: 'happened'; rows: readonly ActivityRow[] }
  | { kind: 'facts'; counts: ScreenState['counts']; clock: ScreenState['clock'] }
  | { kind: 'noticed'; notice: ScreenNotice | null }
  | { kind: 'opened'; panel: ScreenPanel }
  | { kind: 'scrolled'; by: number }
  | { kind: 'filtered' }
  | { kind: 'cleared' }
  | { kind: 'resized'; size: ScreenState['size'] };

/** Older rows are dropped: the dashboard has everything. */
const ROWS_MAX = 5_000;

export function initialScreen(size: ScreenState['size'], clock: ScreenState['clock']): ScreenState {
  return {
    rows: [],
    only: null,
    below: 0,
    panel: { open: 'activity' },
    notice: null,
    counts: { domains: 0, events: 0 },
    clock,
    size,
  };
}

export function reduceScreen(state: ScreenState, action: ScreenAction): ScreenState {
  switch (action.kind) {
    case 'happened': {
      const rows = [...state.rows, ...action.rows].slice(-ROWS_MAX);
      const added = action.rows.filter((row) => isShown(row, state.only)).length;
      // A reader who has scrolled up keeps the same rows on the screen.
      return { ...state, rows, below: state.below === 0 ? 0 : state.below + added };
    }
    case 'facts':
      return { ...state, counts: action.counts, clock: action.clock };
    case 'noticed':
      return { ...state, notice: action.notice };
    case 'opened':
      return { ...state, panel: action.panel };
    case 'scrolled': {
      const most = Math.max(0, shownRows(state).length - 1);
      return { ...state, below: Math.min(most, Math.max(0, state.below + action.by)) };
    }
    case 'filtered': {
      const next = state.only === null ? 0 : ROW_KINDS.indexOf(state.only) + 1;
      return { ...state, only: ROW_KINDS[next] ?? null, below: 0 };
    }
    case 'cleared':
      return { ...state, rows: [], below: 0, notice: null };
    case 'resized':
      return { ...state, size: action.size };
  }
}

/** Returns the rows that the filter lets through. */
export function shownRows({ rows, only }: Pick<ScreenState, 'rows' | 'only'>): readonly ActivityRow[] {
  return only === null ? rows : rows.filter((row) => isShown(row, only));
}

function isShown({ kind }: ActivityRow, only: RowKind | null): boolean {
  return only === null || kind === null || kind === only;
}
