import { STATUSES, type Status } from '../../../shared/core/domains/status.ts';
import type { DomainResource, ListDomainsQuery } from '../../../shared/schema/domain.ts';

/** The loaded part of the list of domains, newest first, as the API has it. */
export interface DomainList {
  domains: readonly DomainResource[];
  /** Continues after the last loaded domain; null if there is none. */
  nextCursor: string | null;
  /** The text of the filter: the beginning of a hostname, or `status:`. */
  filter: string;
  /** The index in `domains`; -1 if there are none. */
  selected: number;
  top: number;
  load: { state: 'none' | 'loading' | 'loaded' } | { state: 'failed'; problem: string };
}

export const NO_DOMAINS: DomainList = {
  domains: [],
  nextCursor: null,
  filter: '',
  selected: -1,
  top: 0,
  load: { state: 'none' },
};

export type DomainsAction =
  | { kind: 'domains_loading'; filter: string }
  /** A page of the list: the newest domains, or those after the loaded ones. Ignored if the filter has changed since. */
  | { kind: 'domains_loaded'; filter: string; page: DomainPage; place: 'first' | 'next' }
  | { kind: 'domains_failed'; problem: string }
  | { kind: 'domain_changed'; domain: DomainResource }
  | { kind: 'domain_gone'; id: string }
  | { kind: 'domain_jumped'; to: number };

export interface DomainPage {
  data: readonly DomainResource[];
  next_cursor: string | null;
}

/** @param height the number of rows on the screen. */
export function reduceDomains(list: DomainList, action: DomainsAction, height: number): DomainList {
  return domainsInView(changed(list, action), height);
}

function changed(list: DomainList, action: DomainsAction): DomainList {
  const { domains } = list;
  switch (action.kind) {
    case 'domains_loading':
      if (action.filter === list.filter) return { ...list, load: { state: 'loading' } };
      return { ...NO_DOMAINS, filter: action.filter, load: { state: 'loading' } };
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
    case 'domain_jumped':
      return { ...list, selected: action.to };
  }
}

export function selectedDomain({ domains, selected }: DomainList): DomainResource | null {
  return domains[selected] ?? null;
}

/** Scrolls so that the selected domain is on the screen. */
export function domainsInView(list: DomainList, height: number): DomainList {
  const { length } = list.domains;
  const selected = Math.min(Math.max(list.selected, length === 0 ? -1 : 0), length - 1);
  const lowest = Math.max(0, selected - height + 1);
  const highest = Math.max(0, Math.min(selected, length - height));
  const top = Math.min(Math.max(list.top, lowest), Math.max(lowest, highest));
  return selected === list.selected && top === list.top ? list : { ...list, selected, top };
}

/** Reads the filter of the list into a query of the API. */
export function readDomainFilter(
  text: string,
): { query: Pick<ListDomainsQuery, 'status' | 'hostname'> } | { problem: string } {
  const query: { status?: Status; hostname?: string } = {};
  for (const word of text.toLowerCase().split(/\s+/)) {
    const wanted = /^status:(.*)$/.exec(word)?.[1];
    const status = STATUSES.find((name) => name === wanted);
    if (word === '' || wanted === '') continue;
    if (wanted !== undefined && status === undefined)
      return { problem: `${wanted} is not a status of a domain` };
    if (status !== undefined) query.status = status;
    else if (query.hostname !== undefined || !/^[a-z0-9.-]+$/.test(word)) return { problem: DOMAIN_FILTER };
    else query.hostname = word;
  }
  return { query };
}

const DOMAIN_FILTER = 'Type the beginning of one hostname, or status:active';

function withPage(list: DomainList, { data, next_cursor }: DomainPage, place: 'first' | 'next'): DomainList {
  const load = { state: 'loaded' } as const;
  const known = new Set(data.map(({ id }) => id));
  const others = list.domains.filter(({ id }) => !known.has(id));
  if (place === 'next') return { ...list, domains: [...others, ...data], nextCursor: next_cursor, load };
  // The page replaces the newest domains. Those that were loaded after it stay.
  const last = data.at(-1);
  const lastIndex = list.domains.findIndex(({ id }) => id === last?.id);
  const later = lastIndex === -1 ? [] : list.domains.slice(lastIndex + 1).filter(({ id }) => !known.has(id));
  if (next_cursor === null || later.length === 0) {
    return { ...withDomains(list, data), nextCursor: next_cursor, load };
  }
  return { ...withDomains(list, [...data, ...later]), load };
}

/** Replaces the domains. Keeps the selected one selected, and at its position on the screen unless the list begins there. */
function withDomains(list: DomainList, domains: readonly DomainResource[]): DomainList {
  const before = list.domains[list.selected];
  const index = domains.findIndex(({ id }) => id === before?.id);
  const selected = index === -1 ? list.selected : index;
  const shift = index === -1 || list.top === 0 ? 0 : selected - list.selected;
  return { ...list, domains, selected, top: list.top + shift };
}
