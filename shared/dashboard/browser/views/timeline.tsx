import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { type Appearance, STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type { EventType } from '../../../core/webhooks/event.ts';
import type { EventList, EventResource } from '../../../schema/event.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { NotLoaded } from '../parts/loaded.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import type { Resource } from '../reading.ts';
import { useViewPath } from '../scope.ts';
import { TimeLabel } from '../times.tsx';

/** What happened at an event, in words. */
const EVENT_WORDS: Record<EventType, string> = {
  'domain.created': 'Added',
  'domain.verified': 'DNS confirmed',
  'domain.active': 'Live',
  'domain.dns_broken': 'DNS broken',
  'domain.cert_failed': 'Certificate failed',
  'domain.certificate_renewed': 'Certificate renewed',
  'domain.deleted': 'Removed',
  'domain.held': 'Put on hold',
  'domain.released': 'Released from hold',
};

/** Shows the events of a domain in words, newest first, and deliveries that your receiver has not accepted. */
export function Timeline(input: { domainId: string; events: Resource<EventList> }): ReactElement {
  const viewPath = useViewPath();
  const {
    domainId,
    events: { value, error },
  } = input;
  return (
    <Section
      title="History"
      aside={<Link href={viewPath('events', null, { domain_id: domainId })}>All its events</Link>}
    >
      {value === null ? <NotLoaded error={error} /> : null}
      {value?.data.length === 0 ? <p className="muted">No events yet.</p> : null}
      <ol className="history">
        {value?.data.map((event) => {
          const { tone, icon } = eventLook(event);
          const { delivery } = event;
          return (
            <li key={event.id} className={tone}>
              <Icon name={icon} />
              <Link href={viewPath('events', event.id)}>
                {EVENT_WORDS[event.type as EventType] ?? null} <span className="code-of">{event.type}</span>
              </Link>
              {['pending', 'failed'].includes(delivery.status) ? <ShownDelivery delivery={delivery} /> : null}
              <TimeLabel at={event.created_at} />
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** An event has the look of a bad or final status that it led to. Any other step forward is a success. */
function eventLook({ status, previous_status }: EventResource): Pick<Appearance, 'tone' | 'icon'> {
  if (status === null || previous_status === null) return { tone: 'quiet', icon: 's-none' };
  const look = STATUS_LOOKS[status];
  return look.tone === 'work' ? STATUS_LOOKS.active : look;
}
