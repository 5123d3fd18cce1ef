import type { EventDetail, EventResource } from '../../../shared/schema/event.ts';
import { plainText } from '../../output/plain-text.ts';
import type { CheckedSignature } from '../check-signature.ts';
import { RESET_WORDS } from '../drawing/event-words.ts';
import { listHeight } from '../drawing/frame-layout.ts';
import { type Budget, FULL_BUDGET } from '../redeliver-paced.ts';
import { readFilter, type ViewFilter } from './event-filter.ts';
import { type EventRows, NO_ROWS, type RowsAction, reduceRows } from './event-rows.ts';

/** Everything that the screen shows: the rows, the open panel, and the last notice. */
export interface ViewState {
  rows: EventRows;
  panel: Panel;
  /** The last result or error; it stays until the next one. */
  notice: ViewNotice | null;
  bulk: Bulk | null;
  budget: Budget;
  /** The source of the events, such as `test · 127.0.0.1:4400`. */
  source: string;
  /** True if the server is an emulator, which enables two more keys. */
  hasEmulator: boolean;
  size: ScreenSize;
}

export interface ScreenSize {
  columns: number;
  rows: number;
}

export type Panel =
  | { open: 'list' }
  | { open: 'filter'; draft: string; problem: string | null; before: ViewFilter }
  | { open: 'detail'; event: EventResource; content: DetailContent; scroll: number }
  | { open: 'help'; scroll: number }
  | { open: 'trigger'; event: EventResource; names: readonly string[]; chosen: number }
  | { open: 'confirm'; events: readonly EventResource[] };

export type DetailContent =
  | { state: 'loading' }
  | { state: 'loaded'; detail: EventDetail; signature: CheckedSignature }
  | { state: 'failed'; problem: string };

export interface ViewNotice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

/** The progress of redelivering all shown events. Times are those of `elapsedMs`. */
export interface Bulk {
  total: number;
  done: number;
  accepted: number;
  /** When the limit opens again; null while an event is being sent. */
  waitingUntilMs: number | null;
}

export type ViewAction =
  | RowsAction
  | { kind: 'opened'; panel: Panel }
  | { kind: 'closed' }
  | { kind: 'drafted'; text: string }
  | { kind: 'failed_switched' }
  | { kind: 'scrolled'; by: number; max: number }
  | { kind: 'chosen'; by: number }
  | { kind: 'loaded'; event: EventResource; content: DetailContent }
  | { kind: 'noticed'; notice: ViewNotice | null }
  | { kind: 'bulk'; bulk: Bulk | null }
  | { kind: 'budget'; budget: Budget }
  | { kind: 'emulator'; isThere: boolean }
  | { kind: 'screen'; size: ScreenSize };

export function initialView(fields: Pick<ViewState, 'source' | 'size'> & { rows?: EventRows }): ViewState {
  return fitted({
    rows: NO_ROWS,
    panel: { open: 'list' },
    notice: null,
    bulk: null,
    budget: FULL_BUDGET,
    hasEmulator: false,
    ...fields,
  });
}

export function reduceView(state: ViewState, action: ViewAction): ViewState {
  return fitted(changed(state, action));
}

function changed(state: ViewState, action: ViewAction): ViewState {
  const { panel } = state;
  switch (action.kind) {
    case 'opened':
      return { ...state, panel: action.panel };
    case 'closed':
      return { ...state, panel: { open: 'list' } };
    case 'drafted':
      return panel.open === 'filter' ? withDraft(state, panel, action.text) : state;
    case 'failed_switched': {
      const { filter } = state.rows;
      return withFilter(state, readFilter({ ...filter, failedOnly: !filter.failedOnly }));
    }
    case 'scrolled': {
      if (panel.open !== 'detail' && panel.open !== 'help') return state;
      const scroll = Math.max(0, Math.min(panel.scroll + action.by, action.max));
      return { ...state, panel: { ...panel, scroll } };
    }
    case 'chosen': {
      if (panel.open !== 'trigger') return state;
      const { length } = panel.names;
      return { ...state, panel: { ...panel, chosen: (panel.chosen + action.by + length) % length } };
    }
    case 'loaded':
      if (panel.open !== 'detail' || panel.event.id !== action.event.id) return state;
      return { ...state, panel: { ...panel, content: action.content } };
    case 'noticed':
      return { ...state, notice: action.notice };
    case 'bulk':
      return { ...state, bulk: action.bulk };
    case 'budget':
      return { ...state, budget: action.budget };
    case 'emulator':
      return { ...state, hasEmulator: action.isThere };
    case 'screen':
      return { ...state, size: action.size };
    case 'retrying':
    case 'stopped':
      return { ...withRows(state, action), notice: { text: plainText(action.error.message), tone: 'bad' } };
    case 'answer': {
      const wasLost = state.rows.connection.state === 'retrying';
      return {
        ...withRows(state, action),
        ...(wasLost && { notice: { text: 'Reconnected.', tone: 'good' } }),
        ...(action.wasReset && { notice: { text: RESET_WORDS, tone: 'plain' } }),
      };
    }
    default:
      return withRows(state, action);
  }
}

function withRows(state: ViewState, action: RowsAction): ViewState {
  return { ...state, rows: reduceRows(state.rows, action) };
}

/** Applies the filter while the user types it. A draft that is not valid yet leaves the rows unchanged. */
function withDraft(state: ViewState, panel: Panel & { open: 'filter' }, text: string): ViewState {
  const read = readFilter({ ...panel.before, text });
  const problem = 'problem' in read ? read.problem : null;
  return withFilter({ ...state, panel: { ...panel, draft: text, problem } }, read);
}

function withFilter(state: ViewState, filter: ViewFilter | { problem: string }): ViewState {
  if ('problem' in filter) return state;
  return withRows(state, { kind: 'filtered', filter });
}

/** Tells the rows how many of them fit on the screen. */
function fitted(state: ViewState): ViewState {
  const height = listHeight(state);
  return height === state.rows.height ? state : withRows(state, { kind: 'resized', height });
}
