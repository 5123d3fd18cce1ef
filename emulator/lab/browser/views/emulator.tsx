import type { ReactElement } from 'react';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { Facts, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { DialogForm } from '../../../../shared/dashboard/browser/parts/forms.tsx';
import { OutLink } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { Pill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { type DataColumn, Table } from '../../../../shared/dashboard/browser/parts/table.tsx';
import { useScope } from '../../../../shared/dashboard/browser/scope.ts';
import { SinceText } from '../../../../shared/dashboard/browser/times.tsx';
import type { InspectedApp, InspectedKey, StatusResponse } from '../../responses.ts';
import { askEmulator, useEmulatorResource } from '../ask.ts';
import { AccountForm } from '../forms/account-form.tsx';
import { ImportForm } from '../forms/import-form.tsx';
import { SeedForm } from '../forms/seed-form.tsx';

/** Shows the emulator's addresses and keys, with forms that change the default app's account or the whole state. */
export function EmulatorPanel(): ReactElement {
  const { app } = useScope();
  const { value: status } = useEmulatorResource<StatusResponse>('/status');
  const { value: apps } = useEmulatorResource<{ data: InspectedApp[] }>('/apps');
  const shown = apps?.data.find((each) => each.app.id === app.id);
  return (
    <div className="page">
      {status === null ? null : <Addresses of={status} />}
      {shown === undefined ? null : <Keys of={shown} />}
      {shown === undefined ? null : <Account of={shown} />}
      <Section title="State">
        <p className="muted">
          {status === null ? null : countWords(status.counts)} Export saves everything, and Import brings it
          back.
        </p>
        <div className="actions">
          <SeedForm />
          <a className="btn" href="/_emulator/export" download="emulator.json">
            Export
          </a>
          <ImportForm />
          <DialogForm word="Reset…" title="Reset everything?" submit="Reset" danger work={reset}>
            <p>
              This deletes all domains, events, requests and mail. You get a fresh account with the same keys.
              If the emulator was started with a seed, the seed is applied again.
            </p>
          </DialogForm>
        </div>
      </Section>
    </div>
  );
}

function countWords({ domains = 0, events = 0 }: Record<string, number>): string {
  return `All apps together have ${count(domains, 'domain')} and ${count(events, 'event')}.`;
}

function count(number: number, word: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? word : `${word}s`}`;
}

function Addresses({ of: { urls, keys, version } }: { of: StatusResponse }): ReactElement {
  const base = (urls['api'] ?? '').replace(/\/v1$/, '');
  const settings = [
    `NAMEPLATE_BASE_URL=${base}`,
    `NAMEPLATE_API_KEY=${keys.test}`,
    `NAMEPLATE_WEBHOOK_SECRET=${keys.webhook_secret}`,
  ].join('\n');
  const address = (name: string, what: string) => (
    <CopyText key={name} text={urls[name] ?? ''} what={`the address of the ${what}`} />
  );
  return (
    <Section title="Addresses" aside={<span className="muted">version {version}</span>}>
      <Facts
        of={[
          ['API', address('api', 'API')],
          ['Edge', address('edge', 'edge')],
          ['Sandbox origin', address('sandbox_origin', 'sandbox origin')],
          [
            'Documentation',
            <span key="docs" className="actions">
              <OutLink href={urls['docs'] ?? ''}>Guides</OutLink>
              <OutLink href={urls['openapi'] ?? ''}>OpenAPI</OutLink>
            </span>,
          ],
          [
            'Environment',
            <CopyText
              key="env"
              text={settings}
              shown="base URL, test key and secret"
              what="the environment of your program"
            />,
          ],
        ]}
      />
    </Section>
  );
}

/** Shows the app's keys and secrets. Only the emulator's default keys can be shown in full, because other keys are stored as hashes. */
function Keys({ of: { app, keys, signing_secrets } }: { of: InspectedApp }): ReactElement {
  return (
    <Section
      title={
        <>
          Keys of <bdi>{app.name}</bdi>
        </>
      }
    >
      <Table caption={`Keys of ${app.name}`} columns={KEY_COLUMNS} rows={keys} keyOf={({ id }) => id} />
      <Facts
        of={signing_secrets.map((secret, place) => {
          const [name, what] = SECRET_WORDS[place] ?? SECRET_WORDS[1];
          return [name, <CopyText key={secret} text={secret} what={what} />];
        })}
      />
    </Section>
  );
}

const KEY_COLUMNS: readonly DataColumn<InspectedKey>[] = [
  ['Name', ({ name }) => name],
  ['Mode', ({ mode }) => <Pill tone={mode === 'live' ? 'work' : 'quiet'}>{mode}</Pill>],
  [
    'Key',
    ({ key, mode, prefix, last4 }) =>
      key === null ? (
        <code title="A key is shown only once, when it is created">{`${prefix}…${last4}`}</code>
      ) : (
        <CopyText text={key} what={`the ${mode} key`} />
      ),
  ],
];

/** The newest signing secret, and the previous one during a rotation. */
const SECRET_WORDS = [
  ['Signing secret', 'the signing secret'],
  ['Previous secret', 'the previous secret'],
] as const;

function Account({ of: { account, is_default } }: { of: InspectedApp }): ReactElement {
  return (
    <Section title="Account" aside={is_default ? <AccountForm of={account} /> : null}>
      <Facts
        of={[
          ['Name', account.name],
          ['Plan', account.plan],
          ['Trial ends', account.trial_ends_at && <SinceText at={account.trial_ends_at} />],
          [
            'State',
            <span key="state" className="actions">
              <Pill tone={account.card_on_file ? 'good' : 'wait'}>
                {account.card_on_file ? 'card on file' : 'no card'}
              </Pill>
              {account.promotional ? <Pill tone="quiet">promotional</Pill> : null}
              {account.suspended ? <Pill tone="bad">suspended</Pill> : null}
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

async function reset(): Promise<string> {
  await askEmulator('POST /reset', {});
  return 'Emulator reset.';
}
