import type { ReactElement } from 'react';
import type { Brand } from '../../../core/apps/brand.ts';
import type { AppResource } from '../../../schema/app.ts';
import { SettingForm } from '../forms/setting-form.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty, Facts, Section } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { Pill } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { SAME_BY } from '../same-by.ts';
import { planIncludes, useCan, useScope, useViewPath } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { changeApp, useApp } from '../use-app.ts';
import { OriginProbes } from './origin-probes.tsx';

/** Shows and changes the app: its name, its origin, its white-label host and the default for apex domains. */
export function AppSettings(): ReactElement | null {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { value: app, error } = useApp();
  if (app === null) return error === null ? null : <Empty title={error.message} />;
  const setting = (
    field: keyof Brand | 'name' | 'origin_url' | 'whitelabel_host' | 'apex_redirect_default',
  ) => ({
    field,
    value: app[field],
    mayChange,
    save: async (value: string | null, expected: string | null) => {
      await changeApp(scope, field, value, expected);
      return 'Saved.';
    },
  });
  return (
    <div className="page">
      <h2>App</h2>
      <Section title="General">
        <SettingForm label="Name" maxLength={80} {...setting('name')} />
        <Facts
          of={[
            ['Id', <CopyText key="id" text={app.id} what="the app's id" />],
            ['Created', <SinceText key="created" at={app.created_at} />],
          ]}
        />
      </Section>
      <Section title="Origin">
        <SettingForm
          label="Address that requests for all domains are forwarded to"
          placeholder="https://app.example.com"
          {...setting('origin_url')}
        />
        <OriginProbe of={app} />
        {app.origin_url === null ? null : <OriginProbes />}
      </Section>
      <WhiteLabel of={app}>
        <SettingForm
          label="Your own hostname for customers' records"
          placeholder="domains.example.com"
          clearable
          {...setting('whitelabel_host')}
        />
      </WhiteLabel>
      <Section title="Connect page">
        <SettingForm
          label="Accent colour, such as #1f4fd1"
          placeholder="#1f4fd1"
          clearable
          {...setting('brand_color')}
        />
        <SettingForm
          label="Where your customers get help: an https URL, or mailto: with an address"
          placeholder="https://help.example.com"
          clearable
          {...setting('support_url')}
        />
        <SettingForm
          label="Where your customers go back to"
          placeholder="https://app.example.com"
          clearable
          {...setting('return_url')}
        />
        <p className="muted">
          {app.brand_logo === null ? 'There is no logo.' : 'There is a logo.'} The CLI sets it:{' '}
          <code>nameplate apps update --brand-logo logo.png</code>
        </p>
      </Section>
      <Section title="Apex domains">
        <SettingForm
          label="Default for new apex domains"
          options={[
            ['none', 'Serve the apex only'],
            ['www', 'Also serve www, and redirect it to the apex'],
          ]}
          {...setting('apex_redirect_default')}
        />
      </Section>
      <SameByApi of={SAME_BY.app} />
    </div>
  );
}

/** Shows the latest probe of the origin. */
function OriginProbe({ of: app }: { of: AppResource }): ReactElement {
  const { origin_url, origin_checked_at, origin_reachable, origin_latency_ms } = app;
  if (origin_url === null) {
    return <p className="muted">Without an origin, test domains show a sample page.</p>;
  }
  return (
    <Facts
      of={[
        [
          'Last probe',
          origin_checked_at === null ? (
            <Pill key="probe" tone="wait">
              not probed yet
            </Pill>
          ) : origin_reachable ? (
            <Pill key="probe" tone="good">
              reachable, {origin_latency_ms} ms
            </Pill>
          ) : (
            <Pill key="probe" tone="bad">
              {app.origin_status_reason ?? 'not reachable'}
            </Pill>
          ),
        ],
        ['Probed', origin_checked_at && <SinceText at={origin_checked_at} />],
        [
          'State',
          app.origin_unreachable ? (
            <Pill key="state" tone="bad">
              unreachable: 3 probes in a row have failed
            </Pill>
          ) : null,
        ],
      ]}
    />
  );
}

function WhiteLabel({ of: app, children }: { of: AppResource; children: ReactElement }): ReactElement {
  const { account } = useScope();
  const viewPath = useViewPath();
  const included = planIncludes(account, 'whitelabel');
  const { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at } = app;
  return (
    <Section title="White label">
      {included ? null : (
        <p className="verdict wait">
          Your plan does not include white label. <Link href={viewPath('plan')}>Compare the plans</Link>
        </p>
      )}
      {whitelabel_grace_ends_at === null ? null : (
        <p className="verdict bad" role="alert">
          The host no longer works. Domains that use it become dns_broken at{' '}
          <SinceText at={whitelabel_grace_ends_at} />.
        </p>
      )}
      {children}
      <Facts
        of={[
          [
            'Record to set',
            <span key="record">
              CNAME to <CopyText text={app.whitelabel_target} what="the target of the CNAME" />
            </span>,
          ],
          [
            'State',
            whitelabel_host === null ? null : (
              <Pill key="state" tone={whitelabel_verified ? 'good' : 'wait'}>
                {whitelabel_verified ? 'verified' : 'not verified'}
              </Pill>
            ),
          ],
          ['Found', app.whitelabel_found && <code>{app.whitelabel_found}</code>],
          ['Checked', app.whitelabel_checked_at && <SinceText at={app.whitelabel_checked_at} />],
        ]}
      />
    </Section>
  );
}
