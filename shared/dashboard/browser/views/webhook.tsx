import type { ReactElement } from 'react';
import type { EventList } from '../../../schema/event.ts';
import { SettingForm } from '../forms/setting-form.tsx';
import { SigningSecret } from '../forms/signing-secret.tsx';
import { TestEvent } from '../forms/test-event.tsx';
import { Empty, Section, SettingGroup } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { ShownDelivery } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { SAME_BY } from '../same-by.ts';
import { useApi, useCan, useScope, useViewPath } from '../scope.ts';
import { TimeLabel } from '../times.tsx';
import { changeApp, useApp } from '../use-app.ts';

const EVENTS_SHOWN = 5;

/** Shows where events are sent and how they are signed, sends a test event, and lists the latest deliveries. */
export function Webhook(): ReactElement | null {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { value: app, error } = useApp();
  if (app === null) return error === null ? null : <Empty title={error.message} />;
  return (
    <div className="page">
      <h2>Webhook</h2>
      <div className="box">
        <SettingGroup title="Address" text="Receives the events of live and of test domains.">
          <SettingForm
            label="HTTPS address"
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
      <LatestDeliveries />
      <SameByApi of={SAME_BY.webhook} />
    </div>
  );
}

/** Lists the newest events with the state of their delivery. */
function LatestDeliveries(): ReactElement | null {
  const viewPath = useViewPath();
  const { value } = useApi<EventList>(`/events?limit=${EVENTS_SHOWN}`);
  if (value === null) return null;
  return (
    <Section title="Latest deliveries" aside={<Link href={viewPath('events')}>All events</Link>}>
      {value.data.length === 0 ? <p className="muted">No events yet.</p> : null}
      <ul className="plain">
        {value.data.map(({ id, type, hostname, delivery, created_at }) => (
          <li key={id}>
            <Link className="row-link" href={viewPath('events', id)}>
              <code className="row-main">{type}</code>
              <span className="muted">{hostname}</span>
              <ShownDelivery delivery={delivery} />
              <TimeLabel at={created_at} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
