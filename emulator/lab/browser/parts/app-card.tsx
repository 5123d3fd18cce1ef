import type { ReactElement } from 'react';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { Facts, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Pill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import type { InspectedApp } from '../../responses.ts';
import { AccountForm } from '../forms/account-form.tsx';

/** Summarizes an app: its account, its URLs and whether they work, and its keys. */
export function AppCard({ of }: { of: InspectedApp }): ReactElement {
  const { app, account, is_default, signing_secrets, keys, domains } = of;
  return (
    <Section title={app.name} aside={is_default ? <DefaultApp of={account} /> : null}>
      <Facts
        of={[
          ['App', <CopyText key="id" text={app.id} what="the app's id" />],
          [
            'Account',
            <span key="account" className="actions">
              {account.name}, plan {account.plan}
              {account.promotional ? <Pill tone="quiet">promotional</Pill> : null}
              {account.card_on_file ? null : <Pill tone="waiting">no card</Pill>}
              {account.suspended ? <Pill tone="bad">suspended</Pill> : null}
              {account.trial_ends_at === null ? null : (
                <span className="muted">
                  trial ends <SinceText at={account.trial_ends_at} />
                </span>
              )}
            </span>,
          ],
          ['Domains', `${domains.live} live, ${domains.test} test`],
          ['Origin', <OriginState key="origin" of={of} />],
          ['Webhook', <Webhook key="webhook" of={app.webhook_url} />],
          [
            'White label',
            app.whitelabel_host && (
              <span>
                <code>{app.whitelabel_host}</code>{' '}
                <Pill tone={app.whitelabel_verified ? 'good' : 'waiting'}>
                  {app.whitelabel_verified ? 'verified' : 'unverified'}
                </Pill>
              </span>
            ),
          ],
          ...signing_secrets.map(
            (secret, place) =>
              [
                place === 0 ? 'Signing secret' : 'Previous secret',
                <CopyText
                  key={secret}
                  text={secret}
                  what={place === 0 ? 'the signing secret' : 'the previous secret'}
                />,
              ] as const,
          ),
        ]}
      />
      <h4>Keys</h4>
      <ul className="plain keys-of-app">
        {keys.map(({ id, name, mode, prefix, last4, key }) => (
          <li key={id}>
            <Pill tone={mode === 'live' ? 'good' : 'quiet'}>{mode}</Pill>
            <span className="key-name">{name}</span>
            {key === null ? (
              <code title="A key is shown only once, when it is created">
                {prefix}…{last4}
              </code>
            ) : (
              <CopyText text={key} what={`the ${mode} key`} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function DefaultApp({ of }: { of: InspectedApp['account'] }): ReactElement {
  return (
    <div className="actions">
      <AccountForm of={of} />
      <Pill tone="working">default</Pill>
    </div>
  );
}

function OriginState({ of: { app } }: { of: InspectedApp }): ReactElement {
  if (app.origin_url === null)
    return <span className="muted">none: test domains use the sandbox origin</span>;
  const { origin_url, origin_checked_at, origin_reachable, origin_latency_ms, origin_status_reason } = app;
  return (
    <span>
      <code>{origin_url}</code>{' '}
      {origin_checked_at === null ? (
        <Pill tone="waiting">not probed yet</Pill>
      ) : origin_reachable ? (
        <Pill tone="good">reachable, {origin_latency_ms} ms</Pill>
      ) : (
        <Pill tone="bad">{origin_status_reason ?? 'not reachable'}</Pill>
      )}
    </span>
  );
}

function Webhook({ of }: { of: string | null }): ReactElement {
  return of === null ? <span className="muted">none: events are not sent</span> : <code>{of}</code>;
}
