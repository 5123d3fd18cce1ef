import type { ReactElement } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import type { DeliveryResource } from '../../../../shared/schema/event.ts';
import type { InspectedEvent } from '../../responses.ts';
import { ask } from '../ask.ts';
import { pathTo } from '../navigation.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { CopyButton, CopyText } from '../parts/copy-text.tsx';
import { DetailHead } from '../parts/detail-head.tsx';
import { Empty, Facts, Section } from '../parts/facts.tsx';
import { HeaderTable } from '../parts/header-table.tsx';
import { Link } from '../parts/link.tsx';
import { DeliveryPill, Pill, ResponsePill } from '../parts/pill.tsx';
import { SinceText, TimeText } from '../times.tsx';
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
      <Section title="Body" aside={body === null ? null : <CopyButton text={body} what="the body as sent" />}>
        {body === null ? (
          <p className="muted">The body is no longer stored.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
          <pre tabIndex={0}>{indented(body)}</pre>
        )}
      </Section>
    </>
  );
}

async function redeliver(path: string): Promise<string> {
  const { status_code, error } = await ask<DeliveryResource>(`POST ${path}/redeliver`, {});
  return status_code === null
    ? `Sent again. The receiver did not respond: ${error}.`
    : `Sent again. The receiver responded with ${status_code}.`;
}

function Attempts({ of, isSent }: { of: readonly DeliveryResource[]; isSent: boolean }): ReactElement {
  return (
    <Section title="Attempts">
      {of.length > 0 ? null : (
        <p className="muted">{isSent ? 'None yet.' : 'Not sent, because the app had no webhook_url.'}</p>
      )}
      <ol className="plain attempts">
        {of.map((delivery) => (
          <Attempt key={delivery.id} of={delivery} />
        ))}
      </ol>
    </Section>
  );
}

function Attempt({ of: delivery }: { of: DeliveryResource }): ReactElement {
  const { attempt, status_code, error, response_ms, created_at, delivered_at } = delivery;
  return (
    <li>
      <span className="attempt">{attempt}</span>
      <span>
        {status_code === null && error === null ? (
          <Pill tone="working">in progress</Pill>
        ) : status_code === null ? (
          <Pill tone="bad">{error}</Pill>
        ) : (
          <ResponsePill status={status_code} />
        )}
      </span>
      <span className="muted">{response_ms === null ? '' : `${response_ms} ms`}</span>
      <span className="row-time">
        <TimeText at={delivered_at ?? created_at} />
      </span>
      <ReceiverResponse of={delivery} />
    </li>
  );
}

/** Shows the stored part of the receiver's response, folded. */
function ReceiverResponse({ of }: { of: DeliveryResource }): ReactElement | null {
  const { attempt, response_headers, response_body } = of;
  if (response_headers === null || response_body === null) return null;
  return (
    <details className="response">
      <summary aria-label={`Response to attempt ${attempt}`}>Response</summary>
      <HeaderTable headers={Object.entries(response_headers)} />
      {response_body === '' ? (
        <p className="muted">It has no body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
        <pre tabIndex={0}>{response_body}</pre>
      )}
    </details>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // Not JSON, so shown as sent.
  }
}
