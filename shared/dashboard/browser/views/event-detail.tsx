import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { DeliveryResource, EventDetail as EventWithDeliveries } from '../../../schema/event.ts';
import { useAddition } from '../addition.ts';
import { Attempts } from '../parts/attempts.tsx';
import { CommandButton } from '../parts/command-button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DetailHead, MissingDetail } from '../parts/detail-head.tsx';
import { EventBody } from '../parts/event-content.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { sameByForEvent } from '../same-by.ts';
import { askApi, type PageScope, useApi, useCan, useScope, useViewPath } from '../scope.ts';
import { SinceText } from '../times.tsx';

/** Shows one event: its delivery attempts with the receiver's responses, and its body. */
export function EventPanel({ id }: { id: string }): ReactElement | null {
  const scope = useScope();
  const viewPath = useViewPath();
  const mayChange = useCan('developer');
  const addition = useAddition();
  const path = `/events/${encodeURIComponent(id)}`;
  const { value: event, error } = useApi<EventWithDeliveries>(path);
  if (error !== null) return <MissingDetail what="Event" id={id} error={error} />;
  if (event === null) return null;
  const { delivery } = event;
  return (
    <>
      <DetailHead
        title={event.type}
        state={<ShownDelivery delivery={delivery} />}
        actions={
          mayChange ? (
            <CommandButton className="primary" data-main="" work={() => redeliver(scope, path)}>
              <Icon name="retry" /> Redeliver
            </CommandButton>
          ) : undefined
        }
      />
      <Section title="Facts">
        <Facts
          of={[
            ['Id', <CopyText key="id" text={id} what="the id" />],
            [
              'Domain',
              <Link key="domain" href={viewPath('domains', event.domain_id)}>
                {event.hostname}
              </Link>,
            ],
            ['Status', `${event.previous_status ?? 'none'} → ${event.status ?? 'none'}`],
            ['Created', <SinceText key="at" at={event.created_at} />],
            [
              'Next attempt',
              delivery.status === 'pending' && delivery.next_attempt_at === null
                ? 'After the earlier events of this domain'
                : delivery.next_attempt_at && <SinceText key="next" at={delivery.next_attempt_at} />,
            ],
          ]}
        />
      </Section>
      <Attempts of={event.deliveries} isSent={delivery.status !== 'none'} />
      {addition === null ? null : <addition.OfEvent id={id} />}
      <EventBody of={event.body} />
      <SameByApi of={sameByForEvent(id)} />
    </>
  );
}

async function redeliver(scope: PageScope, path: string): Promise<string> {
  const { status_code, error } = await askApi<DeliveryResource>(scope, `POST ${path}/redeliver`, {});
  return status_code === null
    ? `Sent again. The receiver did not respond: ${error}.`
    : `Sent again. The receiver responded with ${status_code}.`;
}
