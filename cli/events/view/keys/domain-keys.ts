import type { DomainResource } from '../../../../shared/schema/domain.ts';
import { bind, moveKeys } from '../../../screen/key-bindings.ts';
import { selectedDomain } from '../domain-list.ts';
import { filterPanel } from '../filter-panel.ts';
import type { ViewState } from '../view-state.ts';
import {
  type Bindings,
  COMMON_KEYS,
  change,
  filteredBy,
  type KeyHandler,
  type KeyOutcome,
  LEAVING_KEYS,
  NOTHING,
  open,
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

const openPage = withDomain((domain) => open(pageOf(domain)));

export function pageOf(domain: DomainResource) {
  return { open: 'domain', domain, diagnosis: { state: 'none' } } as const;
}

function named({ id, hostname }: DomainResource) {
  return { id, hostname };
}

/** Keys that act on a domain, in the list and on its page. */
export const DOMAIN_KEYS: Bindings = [
  bind('d', 'diagnose: look up everything in the DNS, and show what to fix', { d: withDomain(diagnose) }),
  bind('v', 'check the DNS now', { v: withDomain((domain) => run({ do: 'verify', domain: named(domain) })) }),
  bind('e', "show the domain's events", { e: withDomain(showEvents) }),
  bind('c', 'copy a curl command that asks the API for the domain', {
    c: withDomain((domain) => run({ do: 'curl_domain', domain: named(domain) })),
  }),
  bind('y', 'copy the id', { y: withDomain(({ id }) => run({ do: 'copy', texts: [id] })) }),
  bind('o', "open the domain's connect page", {
    o: withDomain(({ id }) => run({ do: 'open', domainId: id })),
  }),
  bind('t', 'take the domain through a transition', { t: withDomain(listTriggers) }, { isEmulators: true }),
];

const MOVES = moveKeys({ lines: byRows, screens: byScreens, first, last });

export const DOMAIN_LIST_KEYS: Bindings = [
  bind('↑ ↓  j k', 'move by one row; the mouse wheel does too', MOVES.lines),
  bind('PgUp PgDn', 'move by one screen', MOVES.screens),
  bind('g G', 'first row; last loaded row', MOVES.ends),
  bind('Enter', 'show the records, the status and the certificate', { 'enter right': openPage }),
  bind('/', 'filter by the beginning of a hostname, and by status:active', {
    '/': ({ domains }) => open(filterPanel('domains', domains.filter)),
  }),
  bind('Esc', 'clear the filter', { escape: clearFilter }),
  ...DOMAIN_KEYS,
  bind('Tab', 'go to the events', { tab: change({ kind: 'screen_switched', to: 'events' }) }),
  ...COMMON_KEYS,
  ...LEAVING_KEYS,
];

function diagnose(domain: DomainResource, { panel }: ViewState): KeyOutcome {
  return {
    actions: [
      ...(panel.open === 'domain' ? [] : open(pageOf(domain)).actions),
      { kind: 'diagnosed', id: domain.id, diagnosis: { state: 'loading' } },
      { kind: 'scrolled', by: Number.NEGATIVE_INFINITY },
    ],
    command: { do: 'diagnose', domain },
  };
}

function showEvents({ hostname }: DomainResource, { rows: { filter } }: ViewState): KeyOutcome {
  const text = `host:${hostname}`;
  return {
    actions: [
      { kind: 'screen_switched', to: 'events' },
      ...filteredBy(text, filter),
      { kind: 'filter_used', text },
    ],
  };
}

function listTriggers(domain: DomainResource, state: ViewState): KeyOutcome {
  return withEmulator(state, { do: 'list_triggers', domain: named(domain) });
}

function clearFilter({ domains }: ViewState): KeyOutcome {
  if (domains.filter === '') return { actions: [{ kind: 'noticed', notice: null }] };
  return run({ do: 'load_domains', filter: '', place: 'first' });
}
