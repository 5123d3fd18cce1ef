import type { Client } from '../../../shared/client/client.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { EventResource } from '../../../shared/schema/event.ts';
import { problemOf } from '../../runtime/error-presenter.ts';
import type { EventSource, ReaderOptions } from '../event-reader.ts';
import { readDomainFilter } from '../view/domain-list.ts';
import type { PastQuery } from '../view/event-filter.ts';
import { isGap } from '../view/row-order.ts';
import type { ViewState, ViewStore } from '../view/view-state.ts';

const PAGE_DOMAINS = 100;

export type DomainCommands = ReturnType<typeof createDomainCommands>;

/** Creates the functions that load domains from the API into the event view. */
export function createDomainCommands(store: ViewStore, client: Client) {
  let isRefreshing = false;
  return {
    async load(filter: string, place: 'first' | 'next'): Promise<void> {
      store.dispatch({ kind: 'domains_loading', filter });
      await loadPage(filter, place);
    },
    /** Loads the newest domains again, or the domain whose page is open. Does nothing if the screen shows no domain. */
    async refresh(): Promise<void> {
      if (isRefreshing) return;
      isRefreshing = true;
      const state = store.get();
      const { domains, screen } = state;
      const opened = openDomain(state);
      try {
        if (opened) await refreshOne(opened.id);
        else if (screen === 'domains' && domains.load.state !== 'none')
          await loadPage(domains.filter, 'first');
      } finally {
        isRefreshing = false;
      }
    },
  };

  async function loadPage(filter: string, place: 'first' | 'next'): Promise<void> {
    const cursor = place === 'next' ? store.get().domains.nextCursor : null;
    const read = readDomainFilter(filter);
    if (!read.ok) return;
    try {
      const page = await client.domains.list({
        ...read.query,
        limit: PAGE_DOMAINS,
        ...(cursor !== null && { cursor }),
      });
      store.dispatch({ kind: 'domains_loaded', filter, page, place });
    } catch (error) {
      store.dispatch({ kind: 'domains_failed', problem: problemOf(error) });
    }
  }

  async function refreshOne(id: string): Promise<void> {
    try {
      store.dispatch({ kind: 'domain_changed', domain: await client.domains.get(id) });
    } catch (error) {
      // Ignore any error except 404, because the view's event feed already reports a lost connection.
      if (error instanceof ApiError && error.status === 404) store.dispatch({ kind: 'domain_gone', id });
    }
  }
}

function openDomain({ panel, behind }: ViewState): DomainResource | null {
  if (panel.open === 'domain') return panel.domain;
  return behind?.open === 'domain' ? behind.domain : null;
}

const PAGE_EVENTS = 100;
/** The maximum number of pages that one call reads. The first pages may have only events that are already in the view. */
const PAGES_MAX = 20;

/**
 * Creates the function that loads events older than those in the view, with the API's filters. It does nothing during a load, if the API
 * cannot apply the view's filter, or if there are no older events. @param followed returns the type and the domain that the view was
 * started for.
 */
export function createPastLoader(
  store: ViewStore,
  list: EventSource['list'],
  followed: () => ReaderOptions['query'],
): () => Promise<void> {
  let reached: { filter: string; cursor: string | null } = { filter: '', cursor: null };
  return async () => {
    const { past } = store.get().rows;
    const { query } = past;
    if (query === null || past.state !== 'more') return;
    const filter = JSON.stringify(query);
    // Start again at the newest event after the filter has changed or the emulator was reset.
    if (reached.filter !== filter || past.rows.length === 0) reached = { filter, cursor: null };
    store.dispatch({ kind: 'past_loading' });
    const wanted = { ...query, ...followed() };
    // If the filter names another type or domain than the flags of the command, no event matches both.
    const isEmpty =
      wanted.type !== (query.type ?? wanted.type) ||
      wanted.domain_id !== (query.domain_id ?? wanted.domain_id);
    try {
      const { events, isLast } = isEmpty ? { events: [], isLast: true } : await read(wanted);
      store.dispatch({ kind: 'past', query, events, isLast });
    } catch (error) {
      store.dispatch({ kind: 'past', query, events: null, isLast: false });
      throw error;
    }
  };

  async function read(query: PastQuery): Promise<{ events: EventResource[]; isLast: boolean }> {
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const { cursor } = reached;
      const page = await list({ ...query, limit: PAGE_EVENTS, ...(cursor !== null && { cursor }) });
      reached.cursor = page.next_cursor;
      const events = page.data.filter(isOlder);
      if (events.length > 0 || page.next_cursor === null)
        return { events, isLast: page.next_cursor === null };
    }
    return { events: [], isLast: false };
  }

  /** Returns true for an event that is older than the oldest followed event in the view. */
  function isOlder({ id, created_at }: EventResource): boolean {
    const [oldest] = store.get().rows.all;
    if (oldest === undefined) return true;
    const first = isGap(oldest) ? oldest.before : oldest;
    const difference = Date.parse(created_at) - Date.parse(first.created_at);
    return difference < 0 || (difference === 0 && id < first.id);
  }
}
