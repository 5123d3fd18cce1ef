import type { Client } from '../../../shared/client/client.ts';
import { ApiError } from '../../../shared/client/client-error.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import { problemOf } from '../problem.ts';
import { readDomainFilter } from '../view/domain-list.ts';
import type { ViewState, ViewStore } from '../view/view-state.ts';

const PAGE_DOMAINS = 100;

export type DomainCommands = ReturnType<typeof createDomainCommands>;

/** Reads domains into the view. */
export function createDomainCommands(store: ViewStore, client: Client) {
  let isRefreshing = false;
  return {
    async load(filter: string, place: 'first' | 'next'): Promise<void> {
      store.dispatch({ kind: 'domains_loading', filter });
      await loadPage(filter, place);
    },
    /** Reads the newest domains again, or the domain whose page is open. Does nothing if the screen shows no domain. */
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
      // Other errors need no message here: the feed of events reports a lost connection.
      if (error instanceof ApiError && error.status === 404) store.dispatch({ kind: 'domain_gone', id });
    }
  }
}

function openDomain({ panel, behind }: ViewState): DomainResource | null {
  if (panel.open === 'domain') return panel.domain;
  return behind?.open === 'domain' ? behind.domain : null;
}
