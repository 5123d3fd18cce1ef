import type { ReactElement } from 'react';
import type { OutboundError } from '../../../core/webhooks/delivery.ts';
import type { DeliveryResource, EventDetail } from '../../../schema/event.ts';
import { FullTime, spanText, TimeLabel } from '../times.tsx';
import { HeaderTable } from './event-content.tsx';
import { Section } from './facts.tsx';
import { ShownState } from './pill.tsx';

/** Shows the attempts to deliver an event, the newest first: how long each waited and took, and what the receiver said. */
export function Attempts({ of: event }: { of: EventDetail }): ReactElement {
  const { deliveries, created_at } = event;
  const startMs = deliveries.map((each) => Date.parse(each.created_at));
  const waitMs = startMs.map((start, place) =>
    Math.max(0, start - (startMs[place + 1] ?? Date.parse(created_at))),
  );
  const longestWaitMs = Math.max(1, ...waitMs);
  const longestMs = Math.max(1, ...deliveries.map(({ response_ms }) => response_ms ?? 0));
  return (
    <Section title="Attempts" aside={<Progress of={event} />}>
      {deliveries.length === 0 ? null : (
        <ol className="attempts">
          {deliveries.map((each, place) => (
            <li key={each.id} className={toneOf(each)}>
              <span className="attempt">{each.attempt}</span>
              <ShownOutcome of={each} />
              <Bar look="waited" before="after" ms={waitMs[place] ?? 0} longestMs={longestWaitMs} />
              <Bar look="took" before="took" ms={each.response_ms} longestMs={longestMs} />
              <FullTime at={each.created_at} />
              <ReceiverResponse of={each} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

function Progress({ of: { delivery, deliveries } }: { of: EventDetail }): ReactElement {
  const { status, next_attempt_at } = delivery;
  if (status === 'none') return <span className="muted">Not sent: the app had no webhook_url</span>;
  return (
    <span className="muted">
      {deliveries.length === 1 ? '1 attempt' : `${deliveries.length} attempts`}
      {status !== 'pending' ? null : next_attempt_at === null ? (
        ', next after the earlier events of this domain'
      ) : (
        <>
          , next <TimeLabel at={next_attempt_at} />
        </>
      )}
    </span>
  );
}

type Result = Pick<DeliveryResource, 'status_code' | 'error'>;

function toneOf({ status_code, error }: Result): 'good' | 'bad' | 'work' {
  if (status_code === null) return error === null ? 'work' : 'bad';
  return status_code < 300 ? 'good' : 'bad';
}

const ICONS = { good: 's-active', bad: 's-broken', work: 's-work' } as const;

/** Shows the status of the receiver's response, or that there was none. */
export function ShownOutcome({ of }: { of: Result }): ReactElement {
  const tone = toneOf(of);
  const words = of.status_code ?? (tone === 'work' ? 'Being sent' : 'No response');
  return <ShownState words={String(words)} tone={tone} icon={ICONS[tone]} />;
}

/** Shows a duration as a bar and in words. @param input.longestMs the duration whose bar has the full width. */
function Bar(input: { look: string; before: string; ms: number | null; longestMs: number }): ReactElement {
  const { look, before, ms, longestMs } = input;
  if (ms === null) return <span />;
  return (
    <span className={`span ${look}`}>
      <i style={{ width: `${(100 * ms) / longestMs}%` }} />
      {ms === 0 && look === 'waited' ? 'at once' : `${before} ${ms < 1000 ? `${ms} ms` : spanText(ms)}`}
    </span>
  );
}

const ERROR_WORDS: Record<OutboundError, string> = {
  url_not_allowed: 'The address is not public, so we did not call it.',
  dns_failed: 'The host of the address cannot be found in DNS.',
  timeout: 'The receiver did not respond within 10 seconds.',
  tls_error: "The receiver's certificate is not valid.",
  connection_failed: 'The receiver did not accept the connection.',
};

/** Shows why there was no response, or the stored part of the response: its body, with its headers folded at first. */
export function ReceiverResponse(input: {
  of: Pick<DeliveryResource, 'error' | 'response_headers' | 'response_body'>;
}): ReactElement | null {
  const {
    of: { error, response_headers, response_body },
  } = input;
  if (error !== null) {
    return (
      <p className="response">
        {ERROR_WORDS[error as OutboundError] ?? null} <span className="code-of">{error}</span>
      </p>
    );
  }
  if (response_headers === null || response_body === null) return null;
  const headers = Object.entries(response_headers);
  return (
    <div className="response">
      {response_body === '' ? (
        <p className="muted">The response has no body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
        <pre tabIndex={0}>{response_body}</pre>
      )}
      {headers.length === 0 ? null : (
        <details>
          <summary>{headers.length === 1 ? '1 header' : `${headers.length} headers`}</summary>
          <HeaderTable headers={headers} />
        </details>
      )}
    </div>
  );
}
