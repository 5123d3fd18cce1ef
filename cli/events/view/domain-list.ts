import { STATUSES, type Status } from '../../../shared/core/domains/status.ts';
import type { DomainResource, ListDomainsQuery } from '../../../shared/schema/domain.ts';
import { FOLLOWING, type ListCursor, type Move, moved, rowsInView } from '../../screen/list-cursor.ts';

/** The loaded part of the API's domain list, newest first. */
export interface DomainsInView extends ListCursor {
  domains: readonly DomainResource[];
  /** The cursor of the next page after the last loaded domain; null if all domains are loaded. */
  nextCursor: string | null;
  /** The text of the filter: the beginning of a hostname, or `status:` with a status. */
  filter: string;
  load: { state: 'none' | 'loading' | 'loaded' } | { state: 'failed'; problem: string };
}

export const NO_DOMAINS: DomainsInView = {
  ...FOLLOWING,
  following: false,
  domains: [],
  nextCursor: null,
  filter: '',
  load: { state: 'none' },
};

type DomainPage = { data: readonly DomainResource[]; next_cursor: string | null };

export type DomainsAction =
  | { kind: 'domains_loading'; filter: string }
  /**
   * A page of the list was loaded: the newest domains, or the next page. The page is ignored if the filter has changed since the request.
   */
  | { kind: 'domains_loaded'; filter: string; page: DomainPage; place: 'first' | 'next' }
  | { kind: 'domains_failed'; problem: string }
  | { kind: 'domain_changed'; domain: DomainResource }
  | { kind: 'domain_gone'; id: string }
  | { kind: 'resized'; height: number }
  | Move;

export function reduceDomains(list: DomainsInView, action: DomainsAction): DomainsInView {
  const next = changed(list, action);
  if (next === list) return list;
  // New domains appear at the top, so unlike the event list, this list does not follow its end.
  return { ...next, ...rowsInView(next, next.domains.length), following: false };
}

function changed(list: DomainsInView, action: DomainsAction): DomainsInView {
  const { domains } = list;
  switch (action.kind) {
    case 'domains_loading':
      if (action.filter === list.filter) return { ...list, load: { state: 'loading' } };
      return { ...NO_DOMAINS, height: list.height, filter: action.filter, load: { state: 'loading' } };
    case 'domains_loaded':
      return action.filter === list.filter ? withPage(list, action.page, action.place) : list;
    case 'domains_failed':
      return { ...list, load: { state: 'failed', problem: action.problem } };
    case 'domain_changed':
      return {
        ...list,
        domains: domains.map((domain) => (domain.id === action.domain.id ? action.domain : domain)),
      };
    case 'domain_gone':
      return withDomains(
        list,
        domains.filter(({ id }) => id !== action.id),
      );
    case 'resized':
      return { ...list, height: action.height };
    case 'moved':
    case 'paged':
    case 'jumped':
      return { ...list, ...moved(list, action, domains.length) };
    default:
      return list;
  }
}

export function selectedDomain({ domains, selected }: DomainsInView): DomainResource | null {
  return domains[selected] ?? null;
}

/** Parses the text of the filter into a query of the API. */
export function readDomainFilter(
  text: string,
): { ok: true; query: Pick<ListDomainsQuery, 'status' | 'hostname'> } | { ok: false; problem: string } {
  const query: { status?: Status; hostname?: string } = {};
  for (const word of text.toLowerCase().split(/\s+/)) {
    const wanted = /^status:(.*)$/.exec(word)?.[1];
    const status = STATUSES.find((name) => name === wanted);
    if (word === '' || wanted === '') continue;
    if (wanted !== undefined && status === undefined)
      return { ok: false, problem: `${wanted} is not a status of a domain` };
    if (status !== undefined) query.status = status;
    else if (query.hostname !== undefined || !/^[a-z0-9.-]+$/.test(word))
      return { ok: false, problem: DOMAIN_FILTER };
    else query.hostname = word;
  }
  return { ok: true, query };
}

const DOMAIN_FILTER = 'Type the beginning of one hostname, or status:active';

function withPage(
  list: DomainsInView,
  { data, next_cursor }: DomainPage,
  place: 'first' | 'next',
): DomainsInView {
  const load = { state: 'loaded' } as const;
  const known = new Set(data.map(({ id }) => id));
  const others = list.domains.filter(({ id }) => !known.has(id));
  if (place === 'next') return { ...list, domains: [...others, ...data], nextCursor: next_cursor, load };
  // The page replaces the newest domains. Domains of later pages stay.
  const last = data.at(-1);
  const lastIndex = list.domains.findIndex(({ id }) => id === last?.id);
  const isLast = lastIndex === -1 || next_cursor === null;
  const later = isLast ? [] : list.domains.slice(lastIndex + 1).filter(({ id }) => !known.has(id));
  const nextCursor = later.length === 0 ? next_cursor : list.nextCursor;
  return { ...withDomains(list, [...data, ...later]), nextCursor, load };
}

/** Replaces the domains and keeps the selected domain selected. If the list is scrolled, the domain stays at its position on the screen. */
function withDomains(list: DomainsInView, domains: readonly DomainResource[]): DomainsInView {
  const before = list.domains[list.selected];
  const index = domains.findIndex(({ id }) => id === before?.id);
  const selected = index === -1 ? list.selected : index;
  const shift = index === -1 || list.top === 0 ? 0 : selected - list.selected;
  return { ...list, domains, selected, top: list.top + shift };
}
