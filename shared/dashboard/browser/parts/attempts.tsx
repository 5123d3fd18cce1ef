import type { ReactElement } from 'react';
import type { DeliveryResource } from '../../../schema/event.ts';
import { TimeLabel } from '../times.tsx';
import { HeaderTable } from './event-content.tsx';
import { Section } from './facts.tsx';
import { Pill, ResponsePill } from './pill.tsx';

/** Lists the delivery attempts of an event, each with the receiver's response. */
export function Attempts({ of, isSent }: { of: readonly DeliveryResource[]; isSent: boolean }): ReactElement {
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
          <Pill tone="work">in progress</Pill>
        ) : status_code === null ? (
          <Pill tone="bad">{error}</Pill>
        ) : (
          <ResponsePill status={status_code} />
        )}
      </span>
      <span className="muted">{response_ms === null ? '' : `${response_ms} ms`}</span>
      <span className="row-time">
        <TimeLabel at={delivered_at ?? created_at} />
      </span>
      <ReceiverResponse of={delivery} />
    </li>
  );
}

/** Shows the stored part of the receiver's response, folded at first. */
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
