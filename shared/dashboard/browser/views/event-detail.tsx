import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type {
  DeliveryResource,
  EventResource,
  EventDetail as EventWithDeliveries,
} from '../../../schema/event.ts';
import { useAddition } from '../addition.ts';
import { Attempts } from '../parts/attempts.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DetailHead, MissingDetail } from '../parts/detail-head.tsx';
import { BodyPanel } from '../parts/event-content.tsx';
import { CommandButton } from '../parts/forms.tsx';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { sameByForEvent } from '../same-by.ts';
import { askApi, type PageScope, useApi, useCan, useScope, useViewPath } from '../scope.ts';
import { useSession } from '../session.ts';
import { TimeLabel } from '../times.tsx';

/** Shows one event: what happened, its delivery attempts with the receiver's responses, and its body. */
export function EventPanel({ id }: { id: string }): ReactElement | null {
  const scope = useScope();
  const viewPath = useViewPath();
  const mayChange = useCan('developer');
  const addition = useAddition();
  const { session } = useSession();
  const path = `/events/${encodeURIComponent(id)}`;
  const { value: event, error } = useApi<EventWithDeliveries>(path);
  // A key alone sends nothing again to a receiver of live mode, except in the emulator.
  const shortcut = session?.open === true || scope.mode === 'test' ? { 'data-main': '' } : {};
  if (error !== null) return <MissingDetail what="Event" id={id} error={error} />;
  if (event === null) return null;
  return (
    <>
      <DetailHead
        title={event.type}
        look="mono"
        state={<ShownDelivery delivery={event.delivery} />}
        actions={
          mayChange ? (
            <CommandButton className="btn lead" {...shortcut} work={() => redeliver(scope, path)}>
              <Icon name="retry" /> Send again now
            </CommandButton>
          ) : undefined
        }
      >
        <p className="now">
          <span>
            <Link href={viewPath('domains', event.domain_id)}>{event.hostname}</Link> {changeText(event)},{' '}
            <TimeLabel at={event.created_at} />
          </span>
          <CopyText text={id} what="the id" />
        </p>
      </DetailHead>
      <Attempts of={event} />
      {addition === null ? null : <addition.OfEvent id={id} />}
      {event.body === null ? (
        <p className="muted">The body is no longer stored.</p>
      ) : (
        <BodyPanel title="Body as signed" of={event.body} />
      )}
      <SameByApi of={sameByForEvent(id)} />
    </>
  );
}

/** Says how the status of the domain changed, as the end of a sentence that begins with its hostname. */
function changeText({ status, previous_status }: EventResource): string {
  if (status === null) return 'changed';
  const now = STATUS_LOOKS[status].words;
  if (previous_status === null) return 'was added';
  return status === previous_status
    ? `stayed ${now}`
    : `went from ${STATUS_LOOKS[previous_status].words} to ${now}`;
}

async function redeliver(scope: PageScope, path: string): Promise<string> {
  const { status_code, error } = await askApi<DeliveryResource>(scope, `POST ${path}/redeliver`, {});
  return status_code === null
    ? `Sent again. The receiver did not respond: ${error}.`
    : `Sent again. The receiver responded with ${status_code}.`;
}
