import type { ReactElement } from 'react';
import type { OutboundError } from '../../../core/webhooks/delivery.ts';
import type { DeliveryResource, EventDetail } from '../../../schema/event.ts';
import { SinceText, TimeLabel } from '../times.tsx';
import { HeaderTable } from './event-content.tsx';
import { Section } from './facts.tsx';
import { ShownState } from './pill.tsx';

/** Shows the attempts to deliver an event, the newest first: how long each waited and took, and what the receiver said. */
export function Attempts({ of: event }: { of: EventDetail }): ReactElement {
  const { deliveries, delivery, created_at } = event;
  const next = delivery.status === 'pending' ? delivery.next_attempt_at : null;
  const attempts = deliveries.map((each, place) => {
    const before = deliveries[place + 1]?.created_at ?? created_at;
    return { ...each, waitMs: Math.max(0, Date.parse(each.created_at) - Date.parse(before)) };
  });
  const longest = {
    waitMs: Math.max(1, ...attempts.map(({ waitMs }) => waitMs)),
    tookMs: Math.max(1, ...attempts.map(({ response_ms }) => response_ms ?? 0)),
  };
  return (
    <Section title="Attempts" aside={<span className="muted">{countOf(deliveries.length)}</span>}>
      {deliveries.length > 0 ? null : (
        <p className="muted">
          {delivery.status === 'none' ? 'Not sent, because the app had no webhook_url.' : 'None yet.'}
        </p>
      )}
      {delivery.status !== 'pending' ? null : (
        <p className="next">
          {next === null ? (
            'The next attempt follows the earlier events of this domain.'
          ) : (
            <>
              Next attempt: <SinceText at={next} />
            </>
          )}
        </p>
      )}
      {deliveries.length === 0 ? null : (
        <ol className="attempts">
          <li aria-hidden="true" className="heads">
            <span>No.</span>
            <span>Response</span>
            <span>Waited</span>
            <span>Took</span>
            <span>At</span>
          </li>
          {attempts.map(({ waitMs, ...attempt }) => (
            <li key={attempt.id}>
              <span className="attempt">{attempt.attempt}</span>
              <ShownOutcome of={attempt} />
              <Bar name="Waited" look="waited" ms={waitMs} of={longest.waitMs} />
              <Bar name="Took" look={toneOf(attempt)} ms={attempt.response_ms} of={longest.tookMs} />
              <TimeLabel at={attempt.created_at} />
              <ReceiverResponse of={attempt} />
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

type Result = Pick<DeliveryResource, 'status_code' | 'error'>;

function countOf(attempts: number): string {
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

function toneOf({ status_code, error }: Result): 'good' | 'bad' | 'work' {
  if (status_code === null) return error === null ? 'work' : 'bad';
  return status_code < 300 ? 'good' : 'bad';
}

const ICONS = { good: 's-active', bad: 's-broken', work: 's-work' } as const;

/** Shows the status of the receiver's response, or that there was none. */
export function ShownOutcome({ of }: { of: Result }): ReactElement {
  const tone = toneOf(of);
  const words =
    of.status_code === null ? (tone === 'work' ? 'Being sent' : 'No response') : String(of.status_code);
  return <ShownState words={words} tone={tone} icon={ICONS[tone]} />;
}

/** Shows a duration as a bar, with its words below it. @param of the longest duration, whose bar has the full width. */
function Bar({
  name,
  look,
  ms,
  of,
}: {
  name: string;
  look: string;
  ms: number | null;
  of: number;
}): ReactElement {
  return (
    <span className={`span ${look}`}>
      {ms === null ? null : (
        <>
          <i style={{ width: `${(100 * ms) / of}%` }} />
          <span className="hidden">{name} </span>
          {durationText(ms)}
        </>
      )}
    </span>
  );
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
] as const;

function durationText(ms: number): string {
  const [length, unit] = UNITS.find(([each]) => ms >= each) ?? [1, 'ms'];
  const count = ms / length;
  return `${unit === 'ms' || count >= 10 ? Math.round(count) : Number(count.toFixed(1))} ${unit}`;
}

const ERROR_WORDS: Record<OutboundError, string> = {
  url_not_allowed: 'The address may not be called, because it is not public.',
  dns_failed: 'The host of the address cannot be found in DNS.',
  timeout: 'The receiver did not respond within 10 seconds.',
  tls_error: "The receiver's certificate is not valid.",
  connection_failed: 'The receiver did not accept the connection.',
};

/** Shows why there was no response, or the stored part of the response: its body, with its headers folded at first. */
export function ReceiverResponse({
  of: { error, response_headers, response_body },
}: {
  of: Pick<DeliveryResource, 'error' | 'response_headers' | 'response_body'>;
}): ReactElement | null {
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
