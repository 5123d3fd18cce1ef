import type { Diagnosis } from '../../../shared/schema/diagnosis.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventDetail, EventResource } from '../../../shared/schema/event.ts';
import { plainText } from '../../output/plain-text.ts';
import type { ScreenSize } from '../../terminal/full-screen.ts';
import type { CheckedSignature } from '../check-signature.ts';
import { listHeight } from '../drawing/frame-layout.ts';
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
  /** The filters of events that were used, oldest first. */
  filters: readonly string[];
  /** The command copied last, if the terminal did not confirm the copy. It is printed when the view closes. */
  copied: string | null;
  /** The last result or error; it stays until the next one. */
  notice: ViewNotice | null;
  bulk: Bulk | null;
  budget: Budget;
  /** The mode of the API key. */
  mode: 'live' | 'test';
  /** The server, such as `127.0.0.1:4400`. */
  source: string;
  /** True if the server is an emulator, which enables two more keys. */
  hasEmulator: boolean;
  /** How far the server's clock is ahead of this machine's: an emulator's clock can be moved. */
  clockAheadMs: number;
  /** True if the terminal reports the mouse. */
  hasMouse: boolean;
  size: ScreenSize;
}

export type Panel =
  | { open: 'list' }
  | FilterPanel
  | { open: 'detail'; event: EventResource; content: DetailContent; scroll: number }
  | { open: 'domain'; domain: DomainResource; diagnosis: DiagnosisContent; scroll: number }
  | { open: 'text'; title: string; text: string; scroll: number }
  | { open: 'help'; scroll: number }
  | { open: 'trigger'; domain: NamedDomain; names: readonly string[]; chosen: number }
  | { open: 'confirm'; events: readonly EventResource[] };

/** A domain that a command acts on. */
export type NamedDomain = Pick<DomainResource, 'id' | 'hostname'>;

export type DetailContent =
  | { state: 'loading' }
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

export interface ViewNotice {
  text: string;
  tone: 'plain' | 'good' | 'bad';
}

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
  | { kind: 'scrolled'; by: number; max: number }
  | { kind: 'chosen'; by: number }
  | { kind: 'loaded'; event: EventResource; content: DetailContent }
  | { kind: 'diagnosed'; id: string; diagnosis: DiagnosisContent }
  | { kind: 'noticed'; notice: ViewNotice | null }
  | { kind: 'bulk'; bulk: Bulk | null }
  | { kind: 'budget'; budget: Budget }
  | { kind: 'emulator'; isThere: boolean }
  | { kind: 'clock'; aheadMs: number }
  | { kind: 'copied'; command: string | null }
  | { kind: 'mouse'; isOn: boolean }
  | { kind: 'screen'; size: ScreenSize };

const FILTERS_MAX = 50;

export function initialView(
  fields: Pick<ViewState, 'source' | 'size'> & Partial<Pick<ViewState, 'mode' | 'rows'>>,
): ViewState {
  return fitted({
    screen: 'events',
    rows: NO_ROWS,
    domains: NO_DOMAINS,
    marked: new Set(),
    panel: { open: 'list' },
    behind: null,
    filters: [],
    copied: null,
    notice: null,
    bulk: null,
    budget: FULL_BUDGET,
    mode: 'test',
    hasEmulator: false,
    clockAheadMs: 0,
    hasMouse: true,
    ...fields,
  });
}

export function reduceView(state: ViewState, action: ViewAction): ViewState {
  return fitted(changed(state, action));
}

function changed(state: ViewState, action: ViewAction): ViewState {
  const { panel } = state;
  switch (action.kind) {
    case 'screen_switched':
      return { ...state, screen: action.to, panel: { open: 'list' }, behind: null };
    case 'opened':
      return { ...state, panel: action.panel, behind: isPage(action.panel) ? null : pageOf(state) };
    case 'closed':
      return { ...state, panel: state.behind ?? { open: 'list' }, behind: null };
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
    case 'scrolled': {
      if (!('scroll' in panel)) return state;
      const scroll = Math.max(0, Math.min(panel.scroll + action.by, action.max));
      return { ...state, panel: { ...panel, scroll } };
    }
    case 'chosen': {
      if (panel.open !== 'trigger') return state;
      const { length } = panel.names;
      return { ...state, panel: { ...panel, chosen: (panel.chosen + action.by + length) % length } };
    }
    case 'loaded':
      return onPages(state, (page) =>
        page.open === 'detail' && page.event.id === action.event.id
          ? { ...page, content: action.content }
          : page,
      );
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
      return { ...state, notice: action.notice };
    case 'bulk':
      return { ...state, bulk: action.bulk };
    case 'budget':
      return { ...state, budget: action.budget };
    case 'emulator':
      return { ...state, hasEmulator: action.isThere };
    case 'clock':
      return { ...state, clockAheadMs: action.aheadMs };
    case 'copied':
      return { ...state, copied: action.command };
    case 'mouse':
      return { ...state, hasMouse: action.isOn };
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
        ...(action.wasReset && { notice: { text: RESET_WORDS, tone: 'plain' }, marked: new Set() }),
      };
    }
    case 'domains_loading':
    case 'domains_loaded':
    case 'domains_failed':
    case 'domain_gone':
    case 'domain_jumped':
      return withDomains(state, action);
    default:
      return withRows(state, action);
  }
}

/** Returns true for a panel that a smaller one, such as a question, returns to. */
function isPage({ open }: Panel): boolean {
  return open === 'detail' || open === 'domain';
}

function pageOf({ panel, behind }: ViewState): Panel | null {
  return isPage(panel) ? panel : behind;
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

/** Tells the lists how many rows fit on the screen. */
function fitted(state: ViewState): ViewState {
  const height = listHeight(state);
  if (height === state.rows.height) return state;
  const resized = withRows(state, { kind: 'resized', height });
  return { ...resized, domains: domainsInView(resized.domains, height) };
}
