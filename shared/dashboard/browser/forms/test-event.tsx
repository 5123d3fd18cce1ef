import { type ReactElement, useState } from 'react';
import type { TestEventResult } from '../../responses.ts';
import { ask } from '../ask.ts';
import { ReceiverResponse, ShownOutcome } from '../parts/attempts.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { BodyPanel } from '../parts/event-content.tsx';
import { Facts, SettingGroup } from '../parts/facts.tsx';
import { CommandButton } from '../parts/forms.tsx';
import { useScope } from '../scope.ts';

/** Sends a test event to the webhook address, and shows the receiver's response at once. */
export function TestEvent({ hasAddress }: { hasAddress: boolean }): ReactElement {
  const { app } = useScope();
  const [result, setResult] = useState<TestEventResult | null>(null);

  async function sendEvent(): Promise<string> {
    const path = `/apps/${encodeURIComponent(app.id)}/test-event`;
    setResult(await ask<TestEventResult>(`POST ${path}`, {}));
    return 'Test event sent.';
  }

  return (
    <SettingGroup
      title="Test event"
      text={
        <>
          A test event is signed like any other event. It is sent once, and is not in the list of events. Its
          body has <code>test: true</code>.
        </>
      }
    >
      {hasAddress ? (
        <CommandButton className="btn lead" work={sendEvent}>
          Send test event
        </CommandButton>
      ) : (
        <p className="muted">Set an address first.</p>
      )}
      {result === null ? null : (
        <>
          <p className="now">
            <ShownOutcome of={result} />
            {result.response_ms === null ? null : <span>took {result.response_ms} ms</span>}
          </p>
          <ReceiverResponse of={result} />
          <Facts of={[['Signature', <CopyText key="of" text={result.signature} what="the signature" />]]} />
          <BodyPanel title="Body as signed" of={JSON.stringify(result.event)} />
        </>
      )}
    </SettingGroup>
  );
}
