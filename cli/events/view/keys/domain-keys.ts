import type { DomainResource } from '../../../../shared/schema/domain.ts';
import { firstRowLine } from '../../drawing/frame-layout.ts';
import { selectedDomain } from '../domain-list.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  COMMON_KEYS,
  type KeyHandler,
  type KeyOutcome,
  type KeyTable,
  NOTHING,
  run,
  withEmulator,
} from './key-outcome.ts';

const WHEEL_ROWS = 3;
/** The next page is loaded when the selection comes this near to the last loaded domain. */
const ROWS_AHEAD = 20;

/** Moves the selection, and loads the next page in time. */
function moveTo(target: (state: ViewState) => number): KeyHandler {
  return (state) => {
    const { domains, nextCursor, load, filter } = state.domains;
    const to = target(state);
    const isNearEnd = to >= domains.length - ROWS_AHEAD && nextCursor !== null && load.state === 'loaded';
    return {
      actions: [{ kind: 'domain_jumped', to }],
      ...(isNearEnd && { command: { do: 'load_domains', filter, place: 'next' } }),
    };
  };
}

const move = (screens: number, rows = 0) =>
  moveTo(({ domains, rows: { height } }) => domains.selected + rows + screens * Math.max(1, height - 1));
const first = moveTo(() => 0);
const last = moveTo(({ domains }) => domains.domains.length - 1);

function withDomain(build: (domain: DomainResource, state: ViewState) => KeyOutcome): KeyHandler {
  return (state) => {
    const domain = state.panel.open === 'domain' ? state.panel.domain : selectedDomain(state.domains);
    return domain === null ? NOTHING : build(domain, state);
  };
}

function named({ id, hostname }: DomainResource) {
  return { id, hostname };
}

/** Keys that act on a domain, in the list and on its page. */
export const DOMAIN_KEYS: KeyTable = {
  ...COMMON_KEYS,
  d: withDomain((domain, { panel }) => ({
    actions: [
      ...(panel.open === 'domain' ? [] : [{ kind: 'opened', panel: pageOf(domain) } as const]),
      { kind: 'diagnosed', id: domain.id, diagnosis: { state: 'loading' } },
      { kind: 'scrolled', by: Number.NEGATIVE_INFINITY, max: 0 },
    ],
    command: { do: 'diagnose', domain },
  })),
  v: withDomain((domain) => run({ do: 'verify', domain: named(domain) })),
  y: withDomain((domain) => run({ do: 'copy', texts: [domain.id] })),
  c: withDomain((domain) => run({ do: 'curl_domain', domain: named(domain) })),
  o: withDomain((domain) => run({ do: 'open', domainId: domain.id })),
  t: withDomain((domain, state) => withEmulator(state, { do: 'list_triggers', domain: named(domain) })),
  e: withDomain((domain, { rows: { filter } }) => ({
    actions: [
      { kind: 'screen_switched', to: 'events' },
      { kind: 'opened', panel: filterPanel('events', filter.text) },
      { kind: 'drafted', input: { text: `host:${domain.hostname}`, cursor: 0 } },
      { kind: 'closed' },
      { kind: 'filter_used', text: `host:${domain.hostname}` },
    ],
  })),
};

export const DOMAIN_LIST_KEYS: KeyTable = {
  ...DOMAIN_KEYS,
  up: move(0, -1),
  k: move(0, -1),
  down: move(0, 1),
  j: move(0, 1),
  wheelup: move(0, -WHEEL_ROWS),
  wheeldown: move(0, WHEEL_ROWS),
  pageup: move(-1),
  pagedown: move(1),
  home: first,
  g: first,
  end: last,
  G: last,
  click: (state, { line = 0 }) => {
    const row = line - firstRowLine(state);
    const { top, domains } = state.domains;
    return row < 0 || top + row >= domains.length
      ? NOTHING
      : { actions: [{ kind: 'domain_jumped', to: top + row }] };
  },
  '/': ({ domains }) => ({ actions: [{ kind: 'opened', panel: filterPanel('domains', domains.filter) }] }),
  enter: openPage,
  right: openPage,
  tab: toEvents,
  escape: ({ domains }) =>
    domains.filter === ''
      ? { actions: [{ kind: 'noticed', notice: null }] }
      : run({ do: 'load_domains', filter: '', place: 'first' }),
  q: () => run({ do: 'leave', interrupted: false }),
};

function openPage({ domains }: ViewState): KeyOutcome {
  const domain = selectedDomain(domains);
  return domain === null ? NOTHING : { actions: [{ kind: 'opened', panel: pageOf(domain) }] };
}

export function pageOf(domain: DomainResource) {
  return { open: 'domain', domain, diagnosis: { state: 'none' }, scroll: 0 } as const;
}

function toEvents(): KeyOutcome {
  return { actions: [{ kind: 'screen_switched', to: 'events' }] };
}
