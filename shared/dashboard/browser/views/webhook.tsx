import type { ReactElement } from 'react';
import { SettingForm } from '../forms/setting-form.tsx';
import { SigningSecret } from '../forms/signing-secret.tsx';
import { TestEvent } from '../forms/test-event.tsx';
import { SettingGroup } from '../parts/facts.tsx';
import { NotLoaded } from '../parts/loaded.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { changeApp, useApp, useCan, useScope } from '../scope.ts';
import { LatestEvents } from './latest-events.tsx';

/** Shows where events are sent and how they are signed, sends a test event, and lists the latest deliveries. */
export function Webhook(): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { value: app, error } = useApp();
  if (app === null) return <NotLoaded error={error} />;
  return (
    <ViewPage of="webhook">
      <div className="box">
        <SettingGroup title="Address" text="Receives the events of live and of test domains.">
          <SettingForm
            label="Address"
            isTitled
            field="webhook_url"
            value={app.webhook_url}
            placeholder="https://app.example.com/webhooks"
            clearable
            mayChange={mayChange}
            save={async (value, expected) => {
              await changeApp(scope, 'webhook_url', value, expected);
              return value === null ? 'Webhooks are off.' : 'Saved.';
            }}
          />
        </SettingGroup>
        <SigningSecret />
        {mayChange ? <TestEvent hasAddress={app.webhook_url !== null} /> : null}
      </div>
      <LatestEvents />
    </ViewPage>
  );
}
