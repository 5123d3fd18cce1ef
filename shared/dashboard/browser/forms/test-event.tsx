import { type ReactElement, useState } from 'react';
import type { TestEventResult } from '../../responses.ts';
import { ask } from '../ask.ts';
import { CommandButton } from '../parts/command-button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { EventBody, HeaderTable } from '../parts/event-content.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { Pill, ResponsePill } from '../parts/pill.tsx';
import { useScope } from '../scope.ts';

/** Sends a test event to the webhook address, and shows the receiver's response at once. */
export function TestEvent({ hasAddress }: { hasAddress: boolean }): ReactElement {
  const { app } = useScope();
  const [result, setResult] = useState<TestEventResult | null>(null);

  async function sendEvent(): Promise<string> {
    const path = `/apps/${encodeURIComponent(app.id)}/test-event`;
    const sent = await ask<TestEventResult>(`POST ${path}`, {});
    setResult(sent);
    return 'Test event sent.';
  }

  return (
    <>
      <Section title="Test event">
        {hasAddress ? (
          <>
            <p className="muted">
              It is signed like any other event, sent once, and not in the list of events. Its body has{' '}
              <code>test: true</code>.
            </p>
            <CommandButton className="primary" work={sendEvent}>
              Send test event
            </CommandButton>
          </>
        ) : (
          <p className="muted">Set an address first.</p>
        )}
        {result === null ? null : <Response of={result} />}
      </Section>
      {result === null ? null : <EventBody of={JSON.stringify(result.event)} />}
    </>
  );
}

function Response({ of }: { of: TestEventResult }): ReactElement {
  const { status_code, error, response_ms, response_headers, response_body, signature } = of;
  return (
    <>
      <Facts
        of={[
          [
            'Response',
            <span key="response">
              {status_code === null ? <Pill tone="bad">{error}</Pill> : <ResponsePill status={status_code} />}
              {response_ms === null ? null : <span className="muted"> {response_ms} ms</span>}
            </span>,
          ],
          ['Signature', <CopyText key="signature" text={signature} what="the signature" />],
        ]}
      />
      {response_headers === null ? null : <HeaderTable headers={Object.entries(response_headers)} />}
      {response_body === null || response_body === '' ? (
        <p className="muted">The response has no body.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keyboards must reach it
        <pre tabIndex={0}>{response_body}</pre>
      )}
    </>
  );
}
