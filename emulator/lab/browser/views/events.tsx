import type { ReactElement } from 'react';
import { EVENT_TYPES } from '../../../../shared/core/webhooks/event.ts';
import { Empty } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Choice, ListHead, SearchField } from '../../../../shared/dashboard/browser/parts/list-head.tsx';
import { ListPane } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { DeliveryPill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { useFilter } from '../../../../shared/dashboard/browser/router.ts';
import { TimeText } from '../../../../shared/dashboard/browser/times.tsx';
import type { ListedEvent, Listing } from '../../responses.ts';
import { pathTo, useLocation } from '../navigation.ts';
import { PagedRows } from '../parts/paged-rows.tsx';
import { EventDetail } from './event-detail.tsx';

/** Lists the events of all apps, with the details of the selected one. */
export function Events(): ReactElement {
  const { id } = useLocation();
  const [query, setFilter] = useFilter();
  const isFiltered = Object.keys(query).length > 0;
  const list = (
    <PagedRows<ListedEvent, Listing<ListedEvent>>
      label="Events"
      path="/events"
      query={query}
      openId={id}
      idOf={(row) => row.id}
      hrefOf={(row) => pathTo('events', row.id, query)}
      draw={EventRow}
      head={(listing) => (
        <ListHead title="Events" total={listing?.total ?? null}>
          <SearchField
            label="Hostname or id"
            value={query['search'] ?? ''}
            onChange={(text) => setFilter('search', text)}
          />
          <Choice
            label="Type"
            value={query['type'] ?? ''}
            options={[['', 'Any type'], ...EVENT_TYPES.map((type) => [type, type] as const)]}
            onChange={(type) => setFilter('type', type)}
          />
          <Choice
            label="Delivery"
            value={query['delivery'] ?? ''}
            options={DELIVERY_OPTIONS}
            onChange={(delivery) => setFilter('delivery', delivery)}
          />
        </ListHead>
      )}
      empty={
        isFiltered ? (
          <Empty title="No event matches this filter." />
        ) : (
          <Empty title="No events yet">
            <p>Each change of a domain's status creates an event and sends it to the app's webhook_url.</p>
          </Empty>
        )
      }
    />
  );
  return <ListPane list={list} detail={id === null ? null : <EventDetail id={id} key={id} />} />;
}

const DELIVERY_OPTIONS = [
  ['', 'Any delivery'],
  ['delivered', 'delivered'],
  ['pending', 'pending'],
  ['failed', 'failed'],
  ['none', 'not sent'],
] as const;

function EventRow({ type, hostname, delivery, created_at }: ListedEvent): ReactElement {
  return (
    <>
      <span className="row-main">{type}</span>
      <span className="row-state">
        <DeliveryPill delivery={delivery} />
      </span>
      <span className="row-more">{hostname}</span>
      <span className="row-time">
        <TimeText at={created_at} />
      </span>
    </>
  );
}
