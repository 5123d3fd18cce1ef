import type { ReactElement } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { Attempts } from '../../../../shared/dashboard/browser/parts/attempts.tsx';
import { CommandButton } from '../../../../shared/dashboard/browser/parts/command-button.tsx';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import { EventBody } from '../../../../shared/dashboard/browser/parts/event-body.tsx';
import { Empty, Facts, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Link } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { DeliveryPill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import type { DeliveryResource } from '../../../../shared/schema/event.ts';
import type { InspectedEvent } from '../../responses.ts';
import { ask } from '../ask.ts';
import { pathTo } from '../navigation.ts';
import { useResource } from '../use-resource.ts';
import { SignatureCheck } from './signature-check.tsx';

/** Shows one event: its body, its delivery attempts, and a check of its signature. */
export function EventDetail({ id }: { id: string }): ReactElement | null {
  const path = `/events/${encodeURIComponent(id)}`;
  const { value, error } = useResource<InspectedEvent>(path);
  if (error !== null) {
    return (
      <>
        <DetailHead title={id} />
        <Empty title={error.status === 404 ? 'Event not found' : error.message} />
      </>
    );
  }
  if (value === null) return null;
  const { type, hostname, domain_id, previous_status, status, delivery, deliveries, body, created_at } =
    value;
  return (
    <>
      <DetailHead
        title={type}
        state={<DeliveryPill delivery={delivery} />}
        actions={
          <CommandButton className="primary" data-main="" work={() => redeliver(path)}>
            <Icon name="again" /> Redeliver
          </CommandButton>
        }
      />
      <Section title="Facts">
        <Facts
          of={[
            ['Id', <CopyText key="id" text={id} what="the id" />],
            [
              'Domain',
              <Link key="domain" href={pathTo('domains', domain_id)}>
                {hostname}
              </Link>,
            ],
            ['Status', `${previous_status ?? 'none'} → ${status ?? 'none'}`],
            ['Created', <SinceText key="at" at={created_at} />],
            ['Next attempt', delivery.next_attempt_at && <SinceText at={delivery.next_attempt_at} />],
          ]}
        />
      </Section>
      <Attempts of={deliveries} isSent={delivery.status !== 'none'} />
      <SignatureCheck path={path} />
      <EventBody of={body} />
    </>
  );
}

async function redeliver(path: string): Promise<string> {
  const { status_code, error } = await ask<DeliveryResource>(`POST ${path}/redeliver`, {});
  return status_code === null
    ? `Sent again. The receiver did not respond: ${error}.`
    : `Sent again. The receiver responded with ${status_code}.`;
}
