import type { ReactElement } from 'react';
import type { EventList, EventResource } from '../../../schema/event.ts';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { Cells } from '../parts/row-list.tsx';
import { useApi, useViewPath } from '../scope.ts';

/** Shows the newest events with the state of their delivery. */
export function LatestEvents(): ReactElement | null {
  const viewPath = useViewPath();
  const { value } = useApi<EventList>('/events?limit=5');
  if (value === null) return null;
  return (
    <section className="box">
      <header>
        <h2>Events</h2>
        <Link href={viewPath('events')}>All</Link>
      </header>
      {value.data.length === 0 ? <p className="in muted">No events yet.</p> : null}
      <ul className="latest">
        {value.data.map((event) => (
          <li key={event.id}>
            <Link className="row" href={viewPath('events', event.id)}>
              <EventCells {...event} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The cells of an event's row in a list. */
export function EventCells({ type, hostname, delivery, created_at }: EventResource): ReactElement {
  return (
    <Cells
      name={<code>{type}</code>}
      state={<ShownDelivery delivery={delivery} />}
      more={hostname}
      title={hostname ?? undefined}
      at={created_at}
    />
  );
}
