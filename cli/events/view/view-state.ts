import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventDetail, EventResource } from '../../../shared/schema/event.ts';
import type { ServerClock } from '../../emulator/clock-ahead.ts';
import { type FooterNotice, lasting, noticedAt, type ShownNotice } from '../../screen/footer.tsx';
import { isMove, SCROLL_START, type ScrollPosition, scrolled } from '../../screen/list-cursor.ts';
import type { ScreenStore } from '../../screen/screen.tsx';
import { type TextInput, textInput, textOf } from '../../screen/text-input.ts';
import type { CheckedSignature } from '../commands/event-request.ts';
import { RESET_WORDS } from '../event-words.ts';
import { FULL_BUDGET, type PaceBudget } from '../redeliver-paced.ts';
import {
  type DomainsAction,
  type DomainsInView,
  NO_DOMAINS,
  readDomainFilter,
  reduceDomains,
} from './domain-list.ts';
import { type FilterInput, NO_FILTER, readFilter } from './event-filter.ts';
import { type EventRows, NO_ROWS, type RowsAction, reduceRows } from './event-rows.ts';

/** Everything that the screen shows: the two lists, the open panel, and the last notice. */
export interface ViewState {
  screen: 'events' | 'domains';
  rows: EventRows;
  domains: DomainsInView;
  /** The ids of the events that the user has marked, to act on all of them. */
  marked: ReadonlySet<string>;
  panel: Panel;
  /** The panel that opens again when the open panel closes; null for the list. */
  behind: Panel | null;
  /** The scroll position in the open page, or in the page beside the list. */
  scroll: ScrollPosition;
  /** The content of the event page that was loaded last. */
  detail: { id: string; content: DetailContent } | null;
  /** True if event pages hide the body. */
  isBodyFolded: boolean;
  /** The event filters that the user has applied, oldest first, to recall them. */
  filters: readonly string[];
  /** The curl command that was copied last, if the copy was not confirmed. The view prints it when it closes. */
  copied: string | null;
  /** The last result or error to show in the footer. */
  notice: ShownNotice | null;
  bulk: Bulk | null;
  budget: PaceBudget;
  /** The mode of the API key. */
  mode: 'live' | 'test';
  /** The server, such as `127.0.0.1:4400`. */
  source: string;
  /** True if the server is an emulator. The keys for its clock and its triggers work only then. */
  hasEmulator: boolean;
  /** The emulator's clock when it was read last; null until then, and for a hosted server. */
  clock: ServerClock | null;
  /** The current time, as `elapsedMs` and as RFC 3339 time of the server's clock. */
  time: { nowMs: number; now: string };
  /** Lines that the view shows as an introduction. Only `nameplate demo` sets them. */
  intro: readonly string[];
}

export type Panel =
  | { open: 'list' }
  | FilterPanel
  | { open: 'detail'; event: EventResource }
  | { open: 'domain'; domain: DomainResource; diagnosis: DiagnosisContent }
  | { open: 'text'; title: string; text: string }
  | { open: 'help' }
  | { open: 'trigger'; domain: NamedDomain; names: readonly string[]; chosen: number }
  | { open: 'confirm'; events: readonly EventResource[] };

/** The line in which the user types a filter. */
export interface FilterPanel {
  open: 'filter';
  /** The list to filter. Events are filtered while the user types. The domain filter is sent to the server when the user presses Enter. */
  of: 'events' | 'domains';
  input: TextInput;
  /** The filter to restore if the user cancels. */
  before: string;
  /** The index in `filters` of the filter that the user has recalled; null if the user typed the text. */
  recalled: number | null;
}

export function filterPanel(of: FilterPanel['of'], before: string): FilterPanel {
  return { open: 'filter', of, input: textInput(before), before, recalled: null };
}

/** Returns a message that says why the typed filter is not valid; null if it is valid. */
export function draftProblem({ of, input }: FilterPanel): string | null {
  const text = textOf(input);
  const read = of === 'events' ? readFilter({ ...NO_FILTER, text }) : readDomainFilter(text);
  return read.ok ? null : read.problem;
}

/** Returns the page of a domain. */
export function domainPanel(domain: DomainResource): Panel {
  return { open: 'domain', domain, diagnosis: { state: 'none' } };
}

/** A domain that a command acts on. */
export type NamedDomain = Pick<DomainResource, 'id' | 'hostname'>;

export type DetailContent =
  | {
      state: 'loaded';
      detail: EventDetail;
      signature: CheckedSignature;
      /** The app's current webhook URL; null if the app has none. */
      webhookUrl: string | null;
    }
  | { state: 'failed'; problem: string };

export type DiagnosisContent =
  | { state: 'none' | 'loading' }
  | { state: 'loaded'; diagnosis: Diagnosis }
  | { state: 'failed'; problem: string };

/** The progress of redelivering several events. Times are in milliseconds of a monotonic clock. */
export interface Bulk {
  total: number;
  done: number;
  accepted: number;
  /** When the rate limit permits the next redelivery; null while an event is being sent. */
  waitingUntilMs: number | null;
}

export type ViewAction =
  | RowsAction
  | DomainsAction
  | { kind: 'screen_switched'; to: ViewState['screen'] }
  | { kind: 'opened'; panel: Panel }
  | { kind: 'closed' }
  | { kind: 'drafted'; input: TextInput; recalled?: number }
  | { kind: 'filter_changed'; change: Partial<FilterInput> }
  | { kind: 'filter_used'; text: string }
  | { kind: 'marked'; id: string }
  | { kind: 'measured'; height: number; total: number }
  | { kind: 'chosen'; by: number }
  | { kind: 'diagnosed'; id: string; diagnosis: DiagnosisContent }
  | { kind: 'noticed'; notice: FooterNotice | null }
  | { kind: 'clock'; clock: ServerClock }
  | { kind: 'ticked'; time: ViewState['time'] }
  /** Replaces fields of the state that no other field depends on. */
  | { kind: 'set'; fields: Partial<Pick<ViewState, SetField>> };

type SetField = 'marked' | 'detail' | 'isBodyFolded' | 'copied' | 'bulk' | 'budget' | 'hasEmulator';

export type ViewStore = ScreenStore<ViewState, ViewAction>;

const FILTERS_MAX = 50;

export function initialView(
  fields: Pick<ViewState, 'source' | 'time'> & Partial<Pick<ViewState, 'mode' | 'rows' | 'intro'>>,
): ViewState {
  return {
    screen: 'events',
    rows: NO_ROWS,
    domains: NO_DOMAINS,
    marked: new Set(),
    panel: { open: 'list' },
    behind: null,
    scroll: SCROLL_START,
    detail: null,
    isBodyFolded: false,
    filters: [],
    copied: null,
    notice: null,
    bulk: null,
    budget: FULL_BUDGET,
    mode: 'test',
    hasEmulator: false,
    clock: null,
    intro: [],
    ...fields,
  };
}

export function reduceView(state: ViewState, action: ViewAction): ViewState {
  const { panel } = state;
  switch (action.kind) {
    case 'screen_switched':
      return atTop({ ...state, screen: action.to, panel: { open: 'list' }, behind: null });
    case 'opened':
      return atTop({
        ...state,
        panel: action.panel,
        behind: isPage(action.panel) ? null : isPage(panel) ? panel : state.behind,
      });
    case 'closed':
      return atTop({ ...state, panel: state.behind ?? { open: 'list' }, behind: null });
    case 'set':
      return { ...state, ...action.fields };
    case 'drafted': {
      if (panel.open !== 'filter') return state;
      const { input, recalled = null } = action;
      const typed = { ...state, panel: { ...panel, input, recalled } };
      return panel.of === 'events' ? withFilter(typed, { text: textOf(input) }) : typed;
    }
    case 'filter_changed':
      return withFilter(state, action.change);
    case 'filter_used': {
      const others = state.filters.filter((text) => text !== action.text);
      return { ...state, filters: [...others, action.text].slice(-FILTERS_MAX) };
    }
    case 'marked': {
      const marked = new Set(state.marked);
      if (!marked.delete(action.id)) marked.add(action.id);
      return { ...state, marked };
    }
    case 'measured': {
      const { height, total } = action;
      return { ...state, scroll: scrolled({ ...state.scroll, height, total }, { kind: 'moved', by: 0 }) };
    }
    case 'chosen': {
      if (panel.open !== 'trigger') return state;
      const { length } = panel.names;
      return { ...state, panel: { ...panel, chosen: (panel.chosen + action.by + length) % length } };
    }
    case 'diagnosed':
      return onPages(state, (page) =>
        page.open === 'domain' && page.domain.id === action.id
          ? { ...page, diagnosis: action.diagnosis }
          : page,
      );
    case 'domain_changed':
      return onPages(withLists(state, action), (page) =>
        page.open === 'domain' && page.domain.id === action.domain.id
          ? { ...page, domain: action.domain }
          : page,
      );
    case 'noticed':
      return withNotice(state, action.notice);
    case 'clock':
      return { ...state, clock: action.clock, time: { ...state.time, now: action.clock.now } };
    case 'ticked':
      return { ...state, time: action.time, notice: lasting(state.notice, action.time.nowMs) };
    case 'retrying':
    case 'stopped': {
      // The notice stays until the connection is back.
      const notice = { text: action.error.message, tone: 'bad', untilMs: null } as const;
      return { ...withLists(state, action), notice };
    }
    case 'answer': {
      const wasLost = state.rows.connection.state === 'retrying';
      const answered = withLists(state, action);
      if (action.wasReset) {
        return withNotice({ ...answered, marked: new Set() }, { text: RESET_WORDS, tone: 'plain' });
      }
      return wasLost ? withNotice(answered, { text: 'Reconnected.', tone: 'good' }) : answered;
    }
    default:
      if (!isMove(action)) return withLists(state, action);
      if (coversList(panel)) return { ...state, scroll: scrolled(state.scroll, action) };
      return state.screen === 'events'
        ? { ...state, rows: reduceRows(state.rows, action) }
        : { ...state, domains: reduceDomains(state.domains, action) };
  }
}

/** Returns true for a panel that is a page of lines. The page replaces the list, or is beside the list on a wide screen. */
export function coversList({ open }: Panel): boolean {
  return open === 'detail' || open === 'domain' || open === 'text' || open === 'help';
}

/** Returns true for a panel that opens again when a panel above it, such as a prompt, closes. */
function isPage({ open }: Panel): boolean {
  return open === 'detail' || open === 'domain';
}

function atTop(state: ViewState): ViewState {
  return coversList(state.panel) ? { ...state, scroll: { ...state.scroll, top: 0 } } : state;
}

function withNotice(state: ViewState, notice: FooterNotice | null): ViewState {
  return { ...state, notice: noticedAt(notice, state.time.nowMs) };
}

/** Changes the open panel and the panel behind it. */
function onPages(state: ViewState, change: (page: Panel) => Panel): ViewState {
  return { ...state, panel: change(state.panel), behind: state.behind && change(state.behind) };
}

/** Passes an action to both lists. Each list ignores the actions that are only for the other list. */
function withLists(state: ViewState, action: RowsAction | DomainsAction): ViewState {
  return {
    ...state,
    rows: reduceRows(state.rows, action as RowsAction),
    domains: reduceDomains(state.domains, action as DomainsAction),
  };
}

/** Changes the filter of events, also while the user types it. A text that is not valid yet leaves the rows unchanged. */
function withFilter(state: ViewState, change: Partial<FilterInput>): ViewState {
  const read = readFilter({ ...state.rows.filter, ...change });
  return read.ok ? withLists(state, { kind: 'filtered', filter: read.filter }) : state;
}
