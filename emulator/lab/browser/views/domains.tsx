import { type ReactElement, useState } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { STATUSES } from '../../../../shared/core/domains/status.ts';
import { Empty } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Choice, ListHead, SearchField } from '../../../../shared/dashboard/browser/parts/list-head.tsx';
import { ListPane } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { Pill, StatusPill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { useFilter } from '../../../../shared/dashboard/browser/router.ts';
import { TimeText } from '../../../../shared/dashboard/browser/times.tsx';
import type { DomainListing, ListedDomain } from '../../responses.ts';
import { AddDomain } from '../forms/add-domain.tsx';
import { pathTo, useLocation } from '../navigation.ts';
import { PagedRows } from '../parts/paged-rows.tsx';
import { DomainDetail } from './domain-detail.tsx';

/** Lists the domains of all apps, with the details of the selected one. */
export function Domains(): ReactElement {
  const { id } = useLocation();
  const [query, setFilter] = useFilter();
  const [adding, setAdding] = useState(false);
  const isFiltered = Object.keys(query).length > 0;
  const list = (
    <>
      <PagedRows<ListedDomain, DomainListing>
        label="Domains"
        path="/domains"
        query={query}
        openId={id}
        idOf={(row) => row.id}
        hrefOf={(row) => pathTo('domains', row.id, query)}
        draw={DomainRow}
        head={(listing) => (
          <ListHead
            title="Domains"
            total={listing?.total ?? null}
            action={
              <button type="button" className="small-button" onClick={() => setAdding(true)}>
                <Icon name="plus" /> Add
              </button>
            }
          >
            <SearchField
              label="Hostname or id"
              value={query['search'] ?? ''}
              onChange={(text) => setFilter('search', text)}
            />
            <Choice
              label="Status"
              value={query['status'] ?? ''}
              options={statusOptions(listing)}
              onChange={(status) => setFilter('status', status)}
            />
            <Choice
              label="Mode"
              value={query['mode'] ?? ''}
              options={MODE_OPTIONS}
              onChange={(mode) => setFilter('mode', mode)}
            />
          </ListHead>
        )}
        empty={
          isFiltered ? (
            <Empty title="No domain matches this filter." />
          ) : (
            <Empty title="No domains yet">
              <p>Add one here or with POST /v1/domains. It becomes active by itself, on the test timer.</p>
            </Empty>
          )
        }
      />
      {adding ? <AddDomain onClose={() => setAdding(false)} /> : null}
    </>
  );
  return <ListPane list={list} detail={id === null ? null : <DomainDetail id={id} key={id} />} />;
}

const MODE_OPTIONS = [
  ['', 'Live and test'],
  ['live', 'Live'],
  ['test', 'Test'],
] as const;

/** Deleted domains do not count as "any status". They are listed only if that status is selected. */
function statusOptions(listing: DomainListing | null): [string, string][] {
  const counts = listing?.by_status ?? {};
  return [
    ['', 'Any status'],
    ...STATUSES.map((status): [string, string] => [status, `${status} (${counts[status] ?? 0})`]),
  ];
}

function DomainRow({ hostname, status, status_reason, status_since, mode }: ListedDomain): ReactElement {
  return (
    <>
      <span className="row-main">{hostname}</span>
      <span className="row-state">
        <StatusPill status={status} />
      </span>
      <span className="row-more">{status_reason ?? ''}</span>
      <span className="row-time">
        {mode === 'test' ? <Pill tone="quiet">test</Pill> : null} <TimeText at={status_since} />
      </span>
    </>
  );
}
