import type { ReactElement } from 'react';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { Facts, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Link, OutLink } from '../../../../shared/dashboard/browser/parts/link.tsx';
import type { EmulatorStatus, InspectedApp } from '../../responses.ts';
import { ImportForm } from '../forms/import-form.tsx';
import { ResetButton } from '../forms/reset-button.tsx';
import { SeedForm } from '../forms/seed-form.tsx';
import { pathTo, type View } from '../navigation.ts';
import { AppCard } from '../parts/app-card.tsx';
import { useResource } from '../use-resource.ts';

/** Shows the emulator's addresses and counts, and each app with its account and its keys. */
export function Overview(): ReactElement {
  const { value: status } = useResource<EmulatorStatus>('/status');
  const { value: apps } = useResource<{ data: InspectedApp[] }>('/apps');
  return (
    <div className="page">
      <div className="list-title">
        <h2>Overview</h2>
        {status === null ? null : <span className="muted">version {status.version}</span>}
      </div>
      {status === null ? null : (
        <>
          <Counts of={status.counts} />
          <Addresses of={status} />
        </>
      )}
      {apps?.data.map((app) => (
        <AppCard key={app.app.id} of={app} />
      ))}
      <Section title="State">
        <div className="actions">
          <SeedForm />
          <a className="button" href="/_emulator/export" download="emulator.json">
            Export
          </a>
          <ImportForm />
          <ResetButton />
        </div>
      </Section>
    </div>
  );
}

const COUNTED: readonly (readonly [
  count: string,
  word: string,
  view: View,
  query: Record<string, string>,
])[] = [
  ['domains', 'domains', 'domains', {}],
  ['events', 'events', 'events', {}],
  ['pending_events', 'pending events', 'events', { delivery: 'pending' }],
];

function Counts({ of }: { of: Record<string, number> }): ReactElement {
  return (
    <div className="counts">
      {COUNTED.map(([name, word, view, query]) => (
        <Link key={name} className="tile" href={pathTo(view, null, query)}>
          <span className="tile-number">{(of[name] ?? 0).toLocaleString('en')}</span>
          <span className="muted">{word}</span>
        </Link>
      ))}
    </div>
  );
}

function Addresses({ of: { urls, keys } }: { of: EmulatorStatus }): ReactElement {
  const base = (urls['api'] ?? '').replace(/\/v1$/, '');
  const settings = [
    `NAMEPLATE_BASE_URL=${base}`,
    `NAMEPLATE_API_KEY=${keys.test}`,
    `NAMEPLATE_WEBHOOK_SECRET=${keys.webhook_secret}`,
  ].join('\n');
  return (
    <Section title="Addresses">
      <Facts
        of={[
          ['API', <CopyText key="api" text={urls['api'] ?? ''} what="the address of the API" />],
          ['Edge', <CopyText key="edge" text={urls['edge'] ?? ''} what="the address of the edge" />],
          [
            'Sandbox origin',
            <CopyText
              key="sandbox"
              text={urls['sandbox_origin'] ?? ''}
              what="the address of the sandbox origin"
            />,
          ],
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
