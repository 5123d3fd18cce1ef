import { type ReactElement, useState } from 'react';
import { EVENT_TYPES } from '../../../core/webhooks/event.ts';
import type { EventResource } from '../../../schema/event.ts';
import { RedeliverMany } from '../forms/redeliver-many.tsx';
import { usePlace } from '../navigation.ts';
import { CursorList } from '../parts/cursor-list.tsx';
import { Empty } from '../parts/facts.tsx';
import { Choice } from '../parts/forms.tsx';
import { Chips, ListHead } from '../parts/list-head.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { useFilter, withQuery } from '../router.ts';
import { apiPath, useCan, useScope, useViewPath } from '../scope.ts';
import { EventPanel } from './event-detail.tsx';
import { EventCells } from './latest-events.tsx';

/** Lists the events of the app in the page's mode, with the details of the selected one. */
export function Events(): ReactElement {
  const scope = useScope();
  const { id } = usePlace();
  const viewPath = useViewPath();
  const [query, setFilter] = useFilter();
  const [chosen, setChosen] = useState<ReadonlyMap<string, EventResource>>(new Map());
  const mayChange = useCan('developer');
  const { type = '', domain_id = '', delivery = '' } = query;
  const path = withQuery(apiPath(scope, '/events'), { type, domain_id, delivery });
  const failedPath = withQuery(apiPath(scope, '/events'), { type, domain_id, delivery: 'failed' });
  const isFiltered = Object.keys(query).length > 0;

  function toggle(event: EventResource): void {
    const next = new Map(chosen);
    if (!next.delete(event.id)) next.set(event.id, event);
    setChosen(next);
  }

  return (
    <CursorList<EventResource>
      label="Events"
      path={path}
      openId={id}
      idOf={(row) => row.id}
      hrefOf={(row) => viewPath('events', row.id, query)}
      draw={EventCells}
      {...(mayChange && {
        aside: (row: EventResource, isActive: boolean) => (
          <label className="row-choice">
            <span className="hidden">
              Select {row.type} of {row.hostname}
            </span>
            <input
              type="checkbox"
              tabIndex={isActive ? 0 : -1}
              checked={chosen.has(row.id)}
              onChange={() => toggle(row)}
            />
          </label>
        ),
      })}
      head={({ rows, hasMore }) => (
        <ListHead
          title="Events"
          total={hasMore ? null : (rows?.length ?? null)}
          action={
            mayChange ? (
              <RedeliverMany
                path={failedPath}
                chosen={[...chosen.values()]}
                onDone={() => setChosen(new Map())}
              />
            ) : null
          }
        >
          <Chips
            label="Delivery"
            value={delivery}
            options={DELIVERY_OPTIONS}
            hrefOf={(value) => viewPath('events', id, { ...query, delivery: value })}
          />
          <Choice
            aria-label="Type"
            value={type}
            options={[['', 'Any type'], ...EVENT_TYPES]}
            onText={(value) => setFilter('type', value)}
          />
          {domain_id === '' ? null : (
            <button type="button" onClick={() => setFilter('domain_id', '')}>
              Of all domains
            </button>
          )}
        </ListHead>
      )}
      empty={
        <Empty title={isFiltered ? 'No event matches this filter.' : 'No events yet'}>
          {isFiltered ? null : (
            <p>Each change of a domain's status creates an event and sends it to your webhook.</p>
          )}
        </Empty>
      }
      foot={<SameByApi of="events" />}
      detail={() => id && <EventPanel id={id} key={id} />}
    />
  );
}

const DELIVERY_OPTIONS = [
  ['', 'All'],
  ['failed', 'Failed'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['none', 'Not sent'],
] as const;
