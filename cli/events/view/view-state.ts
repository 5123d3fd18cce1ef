import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventDetail, EventResource } from '../../../shared/schema/event.ts';
import type { ServerClock } from '../../emulator/clock-ahead.ts';
import { plainText } from '../../output/plain-text.ts';
import { endOf, type Notice } from '../../screen/notice.tsx';
import { type Measured, SCROLL_START, type ScrollPosition, scrolledBy } from '../../screen/scroll.tsx';
import type { Store } from '../../screen/store.ts';
import type { CheckedSignature } from '../check-signature.ts';
import { RESET_WORDS } from '../event-words.ts';
import { type Budget, FULL_BUDGET } from '../redeliver-paced.ts';
import {
  type DomainList,
  type DomainsAction,
  domainsInView,
  NO_DOMAINS,
  reduceDomains,
} from './domain-list.ts';
import { readFilter, type ViewFilter } from './event-filter.ts';
import { type EventRows, NO_ROWS, type RowsAction, reduceRows } from './event-rows.ts';
import { drafted, type FilterPanel } from './filter-panel.ts';

/** Everything that the screen shows: the two lists, the open panel, and the last notice. */
export interface ViewState {
  screen: 'events' | 'domains';
  rows: EventRows;
  domains: DomainList;
  /** The ids of the events that the user has selected to act on together. */
  marked: ReadonlySet<string>;
  panel: Panel;
  /** The panel that the open one returns to when it closes; null for the list. */
  behind: Panel | null;
  /** The position in the lines of the open page, and of the page beside the list. */
  scroll: ScrollPosition;
  /** The event that was read last, for its page. */
  detail: { id: string; content: DetailContent } | null;
  /** True if the page of an event leaves out its body. */
  isBodyFolded: boolean;
  /** The filters of events that were used, oldest first. */
  filters: readonly string[];
  /** The command copied last, if the terminal did not confirm the copy. It is printed when the view closes. */
  copied: string | null;
  /** The last result or error. It goes away by itself at a time of `elapsedMs`; null stays until the next one. */
  notice: (Notice & { untilMs: number | null }) | null;
  bulk: Bulk | null;
  budget: Budget;
  /** The mode of the API key. */
  mode: 'live' | 'test';
  /** The server, such as `127.0.0.1:4400`. */
  source: string;
  /** True if the server is an emulator, which enables two more keys. */
  hasEmulator: boolean;
  /** The server's clock when it was read last; null until then, and for a hosted server. */
  clock: ServerClock | null;
  /** The current time: of `elapsedMs`, and of the server's clock (RFC 3339). */
  time: { nowMs: number; now: string };
  /** Lines that introduce the view, such as those of the demo. */
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

/** A domain that a command acts on. */
export type NamedDomain = Pick<DomainResource, 'id' | 'hostname'>;

export type DetailContent =
  | {
      state: 'loaded';
      detail: EventDetail;
      signature: CheckedSignature;
      /** The app's webhook URL now; null if there is none. */
      webhookUrl: string | null;
    }
  | { state: 'failed'; problem: string };

export type DiagnosisContent =
  | { state: 'none' | 'loading' }
  | { state: 'loaded'; diagnosis: Diagnosis }
  | { state: 'failed'; problem: string };

/** The progress of redelivering several events. Times are those of `elapsedMs`. */
export interface Bulk {
  total: number;
  done: number;
  accepted: number;
  /** When the limit opens again; null while an event is being sent. */
  waitingUntilMs: number | null;
}

export type ViewAction =
  | RowsAction
  | DomainsAction
  | { kind: 'screen_switched'; to: ViewState['screen'] }
  | { kind: 'opened'; panel: Panel }
  | { kind: 'closed' }
  | { kind: 'drafted'; input: FilterPanel['input']; recalled?: number | null }
  | { kind: 'filter_used'; text: string }
  | { kind: 'failed_switched' }
  | { kind: 'marked'; id: string }
  | { kind: 'unmarked' }
  | { kind: 'scrolled'; by: number }
  | { kind: 'measured'; measured: Measured }
  | { kind: 'body_folded' }
  | { kind: 'chosen'; by: number }
  | { kind: 'loaded'; id: string; content: DetailContent }
  | { kind: 'diagnosed'; id: string; diagnosis: DiagnosisContent }
  | { kind: 'noticed'; notice: Notice | null }
  | { kind: 'bulk'; bulk: Bulk | null }
  | { kind: 'budget'; budget: Budget }
  | { kind: 'emulator'; isThere: boolean }
  | { kind: 'clock'; clock: ServerClock }
  | { kind: 'ticked'; time: ViewState['time'] }
  | { kind: 'copied'; command: string | null };

export type ViewStore = Store<ViewState, ViewAction>;

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
      return atTop({ ...state, panel: action.panel, behind: isPage(action.panel) ? null : pageOf(state) });
    case 'closed':
      return atTop({ ...state, panel: state.behind ?? { open: 'list' }, behind: null });
    case 'drafted':
      if (panel.open !== 'filter') return state;
      return withDraft(state, { ...panel, input: action.input, recalled: action.recalled ?? null });
    case 'filter_used': {
      const others = state.filters.filter((text) => text !== action.text);
      return { ...state, filters: [...others, action.text].slice(-FILTERS_MAX) };
    }
    case 'failed_switched': {
      const { filter } = state.rows;
      return withFilter(state, readFilter({ ...filter, failedOnly: !filter.failedOnly }));
    }
    case 'marked': {
      const marked = new Set(state.marked);
      if (!marked.delete(action.id)) marked.add(action.id);
      return { ...state, marked };
    }
    case 'unmarked':
      return { ...state, marked: new Set() };
    case 'scrolled':
      return { ...state, scroll: scrolledBy(state.scroll, action.by) };
    case 'measured':
      return { ...state, scroll: scrolledBy({ ...state.scroll, ...action.measured }, 0) };
    case 'body_folded':
      return { ...state, isBodyFolded: !state.isBodyFolded };
    case 'chosen': {
      if (panel.open !== 'trigger') return state;
      const { length } = panel.names;
      return { ...state, panel: { ...panel, chosen: (panel.chosen + action.by + length) % length } };
    }
    case 'loaded':
      return { ...state, detail: { id: action.id, content: action.content } };
    case 'diagnosed':
      return onPages(state, (page) =>
        page.open === 'domain' && page.domain.id === action.id
          ? { ...page, diagnosis: action.diagnosis }
          : page,
      );
    case 'domain_changed':
      return onPages(withDomains(state, action), (page) =>
        page.open === 'domain' && page.domain.id === action.domain.id
          ? { ...page, domain: action.domain }
          : page,
      );
    case 'noticed':
      return withNotice(state, action.notice);
    case 'bulk':
      return { ...state, bulk: action.bulk };
    case 'budget':
      return { ...state, budget: action.budget };
    case 'emulator':
      return { ...state, hasEmulator: action.isThere };
    case 'clock':
      return { ...state, clock: action.clock, time: { ...state.time, now: action.clock.now } };
    case 'ticked': {
      const { notice } = state;
      const isOver = notice?.untilMs != null && action.time.nowMs >= notice.untilMs;
      return { ...state, time: action.time, notice: isOver ? null : notice };
    }
    case 'copied':
      return { ...state, copied: action.command };
    case 'retrying':
    case 'stopped': {
      // Stays until the connection is back.
      const notice = { text: plainText(action.error.message), tone: 'bad', untilMs: null } as const;
      return { ...withRows(state, action), notice };
    }
    case 'answer': {
      const wasLost = state.rows.connection.state === 'retrying';
      const answered = withRows(state, action);
      if (action.wasReset) {
        return withNotice({ ...answered, marked: new Set() }, { text: RESET_WORDS, tone: 'plain' });
      }
      return wasLost ? withNotice(answered, { text: 'Reconnected.', tone: 'good' }) : answered;
    }
    case 'domains_loading':
    case 'domains_loaded':
    case 'domains_failed':
    case 'domain_gone':
    case 'domain_jumped':
      return withDomains(state, action);
    case 'resized':
      return { ...withRows(state, action), domains: domainsInView(state.domains, action.height) };
    default:
      return withRows(state, action);
  }
}

/** Returns true for a panel with lines to scroll, which takes the place of the list, or stands beside it on a wide screen. */
export function coversList({ open }: Panel): boolean {
  return open === 'detail' || open === 'domain' || open === 'text' || open === 'help';
}

/** Returns true for a panel that a smaller one, such as a question, returns to. */
function isPage({ open }: Panel): boolean {
  return open === 'detail' || open === 'domain';
}

function pageOf({ panel, behind }: ViewState): Panel | null {
  return isPage(panel) ? panel : behind;
}

function atTop(state: ViewState): ViewState {
  return coversList(state.panel) ? { ...state, scroll: { ...state.scroll, top: 0 } } : state;
}

function withNotice(state: ViewState, notice: Notice | null): ViewState {
  return { ...state, notice: notice && { ...notice, untilMs: endOf(notice, state.time.nowMs) } };
}

/** Changes the open panel, and the one behind it. */
function onPages(state: ViewState, change: (page: Panel) => Panel): ViewState {
  return { ...state, panel: change(state.panel), behind: state.behind && change(state.behind) };
}

function withRows(state: ViewState, action: RowsAction): ViewState {
  return { ...state, rows: reduceRows(state.rows, action) };
}

function withDomains(state: ViewState, action: DomainsAction): ViewState {
  return { ...state, domains: reduceDomains(state.domains, action, state.rows.height) };
}

/** Applies a filter of events while the user types it. A draft that is not valid yet leaves the rows unchanged. */
function withDraft(state: ViewState, panel: FilterPanel): ViewState {
  const { filter, problem } = drafted(panel, state.rows.filter);
  const typed = { ...state, panel: { ...panel, problem } };
  return filter === null ? typed : withFilter(typed, filter);
}

function withFilter(state: ViewState, filter: ViewFilter | { problem: string }): ViewState {
  if ('problem' in filter) return state;
  return withRows(state, { kind: 'filtered', filter });
}
