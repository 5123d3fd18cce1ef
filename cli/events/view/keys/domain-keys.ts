import type { DomainResource } from '../../../../shared/schema/domain.ts';
import { selectedDomain } from '../domain-list.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  type Bindings,
  COMMON_KEYS,
  change,
  type KeyHandler,
  type KeyOutcome,
  LEAVING_KEYS,
  NOTHING,
  run,
  withEmulator,
} from './key-outcome.ts';

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

const byRows = (rows: number) => moveTo(({ domains }) => domains.selected + rows);
const byScreens = (screens: number) =>
  moveTo(({ domains, rows: { height } }) => domains.selected + screens * Math.max(1, height - 1));
const first = moveTo(() => 0);
const last = moveTo(({ domains }) => domains.domains.length - 1);

function withDomain(build: (domain: DomainResource, state: ViewState) => KeyOutcome): KeyHandler {
  return (state) => {
    const domain = state.panel.open === 'domain' ? state.panel.domain : selectedDomain(state.domains);
    return domain === null ? NOTHING : build(domain, state);
  };
}

const openPage = withDomain((domain) => ({ actions: [{ kind: 'opened', panel: pageOf(domain) }] }));

export function pageOf(domain: DomainResource) {
  return { open: 'domain', domain, diagnosis: { state: 'none' } } as const;
}

function named({ id, hostname }: DomainResource) {
  return { id, hostname };
}

/** Keys that act on a domain, in the list and on its page. */
export const DOMAIN_KEYS: Bindings = [
  {
    shown: 'd',
    does: 'diagnose: look up everything in the DNS, and show what to fix',
    keys: {
      d: withDomain((domain, { panel }) => ({
        actions: [
          ...(panel.open === 'domain' ? [] : [{ kind: 'opened', panel: pageOf(domain) } as const]),
          { kind: 'diagnosed', id: domain.id, diagnosis: { state: 'loading' } },
          { kind: 'scrolled', by: Number.NEGATIVE_INFINITY },
        ],
        command: { do: 'diagnose', domain },
      })),
    },
  },
  {
    shown: 'v',
    does: 'check the DNS now',
    keys: { v: withDomain((domain) => run({ do: 'verify', domain: named(domain) })) },
  },
  {
    shown: 'e',
    does: "show the domain's events",
    keys: {
      e: withDomain((domain, { rows: { filter } }) => ({
        actions: [
          { kind: 'screen_switched', to: 'events' },
          { kind: 'opened', panel: filterPanel('events', filter.text) },
          { kind: 'drafted', input: { text: `host:${domain.hostname}`, cursor: 0 } },
          { kind: 'closed' },
          { kind: 'filter_used', text: `host:${domain.hostname}` },
        ],
      })),
    },
  },
  {
    shown: 'c',
    does: 'copy a curl command that asks the API for the domain',
    keys: { c: withDomain((domain) => run({ do: 'curl_domain', domain: named(domain) })) },
  },
  {
    shown: 'y',
    does: 'copy the id',
    keys: { y: withDomain((domain) => run({ do: 'copy', texts: [domain.id] })) },
  },
  {
    shown: 'o',
    does: "open the domain's connect page",
    keys: { o: withDomain((domain) => run({ do: 'open', domainId: domain.id })) },
  },
  {
    shown: 't',
    does: 'take the domain through a transition',
    emulator: true,
    keys: {
      t: withDomain((domain, state) => withEmulator(state, { do: 'list_triggers', domain: named(domain) })),
    },
  },
];

export const DOMAIN_LIST_KEYS: Bindings = [
  {
    shown: '↑ ↓  j k',
    does: 'move by one row; the mouse wheel does too',
    keys: { up: byRows(-1), k: byRows(-1), down: byRows(1), j: byRows(1) },
  },
  { shown: 'PgUp PgDn', does: 'move by one screen', keys: { pageup: byScreens(-1), pagedown: byScreens(1) } },
  {
    shown: 'g G',
    does: 'first row; last loaded row',
    keys: { g: first, home: first, G: last, end: last },
  },
  {
    shown: 'Enter',
    does: 'show the records, the status and the certificate',
    keys: { enter: openPage, right: openPage },
  },
  {
    shown: '/',
    does: 'filter by the beginning of a hostname, and by status:active',
    keys: {
      '/': ({ domains }) => ({
        actions: [{ kind: 'opened', panel: filterPanel('domains', domains.filter) }],
      }),
    },
  },
  {
    shown: 'Esc',
    does: 'clear the filter',
    keys: {
      escape: ({ domains }) =>
        domains.filter === ''
          ? { actions: [{ kind: 'noticed', notice: null }] }
          : run({ do: 'load_domains', filter: '', place: 'first' }),
    },
  },
  ...DOMAIN_KEYS,
  {
    shown: 'Tab',
    does: 'go to the events',
    keys: { tab: change({ kind: 'screen_switched', to: 'events' }) },
  },
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];
