import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type { EventType } from '../../../core/webhooks/event.ts';
import type { EventList } from '../../../schema/event.ts';
import { Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { useViewPath } from '../scope.ts';
import type { RequestError } from '../send.ts';
import { TimeLabel } from '../times.tsx';

/** What happened at an event, in words. */
const EVENT_WORDS: Record<EventType, string> = {
  'domain.created': 'Added',
  'domain.verified': 'DNS confirmed',
  'domain.active': 'Live',
  'domain.dns_broken': 'DNS broken',
  'domain.cert_failed': 'No certificate',
  'domain.certificate_renewed': 'Certificate renewed',
  'domain.deleted': 'Removed',
  'domain.held': 'Put on hold',
  'domain.released': 'Released from the hold',
};

/** Shows the events of a domain in words, newest first, and deliveries that your receiver has not accepted. */
export function Timeline({
  domainId,
  events,
  error,
}: {
  domainId: string;
  events: EventList | null;
  error: RequestError | null;
}): ReactElement {
  const viewPath = useViewPath();
  return (
    <Section
      title="History"
      aside={<Link href={viewPath('events', null, { domain_id: domainId })}>All its events</Link>}
    >
      {error === null ? null : <p className="bad-text">{error.message}</p>}
      {events?.data.length === 0 ? <p className="muted">No events yet.</p> : null}
      <ol className="history">
        {events?.data.map((event) => {
          const { tone, icon } = event.status === null ? QUIET : STATUS_LOOKS[event.status];
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

const QUIET = { tone: 'quiet', icon: 's-none' } as const;
