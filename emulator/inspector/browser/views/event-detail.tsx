import type { ReactElement } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import type { DeliveryResource } from '../../../../shared/schema/event.ts';
import type { InspectedEvent } from '../../answers.ts';
import { ask } from '../ask.ts';
import { pathTo } from '../navigation.ts';
import { CopyButton, CopyText } from '../parts/copy-text.tsx';
import { DeedButton } from '../parts/deed.tsx';
import { DetailHead } from '../parts/detail-head.tsx';
import { Empty, Facts, Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { AnswerPill, DeliveryPill, Pill } from '../parts/pill.tsx';
import { SinceText, TimeText } from '../times.tsx';
import { useAnswer } from '../use-answer.ts';
import { SignatureCheck } from './signature-check.tsx';

/** One event: what is sent, what came of sending it, and whether a receiver could trust it. */
export function EventDetail({ id }: { id: string }): ReactElement | null {
  const path = `/events/${encodeURIComponent(id)}`;
  const { value, refusal } = useAnswer<InspectedEvent>(path);
  if (refusal !== null) {
    return (
      <>
        <DetailHead title={id} />
        <Empty title={refusal.status === 404 ? 'There is no such event.' : refusal.message} />
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
          <DeedButton className="primary" data-main="" work={() => redeliver(path)}>
            <Icon name="again" /> Redeliver
          </DeedButton>
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
            ['Written', <SinceText key="at" at={created_at} />],
            ['Next attempt', delivery.next_attempt_at && <SinceText at={delivery.next_attempt_at} />],
          ]}
        />
      </Section>
      <Attempts of={deliveries} is_sent={delivery.status !== 'none'} />
      <SignatureCheck path={path} />
      <Section
        title="Body"
        aside={body === null ? null : <CopyButton text={body} what="the body as it is sent" />}
      >
        {body === null ? (
          <p className="muted">It is no longer kept.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
          <pre tabIndex={0}>{indented(body)}</pre>
        )}
      </Section>
    </>
  );
}

async function redeliver(path: string): Promise<string> {
  const { status_code, error } = await ask<DeliveryResource>(`POST ${path}/redeliver`, {});
  return status_code === null
    ? `It was sent again; there was no answer: ${error}.`
    : `It was sent again; the receiver answered ${status_code}.`;
}

function Attempts({ of, is_sent }: { of: readonly DeliveryResource[]; is_sent: boolean }): ReactElement {
  return (
    <Section title="Attempts">
      {of.length > 0 ? null : (
        <p className="muted">
          {is_sent ? 'None yet.' : 'The app had no webhook_url, so it was not sent anywhere.'}
        </p>
      )}
      <ol className="plain attempts">
        {of.map(({ id, attempt, status_code, error, response_ms, created_at, delivered_at }) => (
          <li key={id}>
            <span className="attempt">{attempt}</span>
            <span>
              {status_code === null && error === null ? (
                <Pill tone="working">under way</Pill>
              ) : status_code === null ? (
                <Pill tone="bad">{error}</Pill>
              ) : (
                <AnswerPill status={status_code} />
              )}
            </span>
            <span className="muted">{response_ms === null ? '' : `${response_ms} ms`}</span>
            <span className="row-time">
              <TimeText at={delivered_at ?? created_at} />
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // Shown as it is sent, whatever it is.
  }
}
