import type { ReactElement } from 'react';
import { STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type { EventList } from '../../../schema/event.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { useApi, useViewPath } from '../scope.ts';
import { TimeLabel } from '../times.tsx';

const EVENTS_SHOWN = 50;

/** Lists the events of a domain with their deliveries, newest first. */
export function Timeline({ domainId }: { domainId: string }): ReactElement {
  const viewPath = useViewPath();
  const query = new URLSearchParams({ domain_id: domainId, limit: String(EVENTS_SHOWN) });
  const { value, error } = useApi<EventList>(`/events?${query}`);
  return (
    <Section
      title="Timeline"
      aside={
        value?.next_cursor ? (
          <Link href={viewPath('events', null, { domain_id: domainId })}>All events</Link>
        ) : null
      }
    >
      {error === null ? null : <p className="bad-text">{error.message}</p>}
      {value?.data.length === 0 ? <p className="muted">No events yet.</p> : null}
      <ol className="plain timeline">
        {value?.data.map((event) => (
          <li key={event.id} className={event.status === null ? 'quiet' : STATUS_LOOKS[event.status].tone}>
            <Link className="row-link" href={viewPath('events', event.id)}>
              <span className="row-time">
                <TimeLabel at={event.created_at} />
              </span>
              <span className="row-main">
                {event.type}
                {event.status === null || event.status === event.previous_status ? null : (
                  <span className="muted">
                    {' '}
                    {event.previous_status ?? 'new'} → {event.status}
                  </span>
                )}
              </span>
              <ShownDelivery delivery={event.delivery} />
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  );
}
