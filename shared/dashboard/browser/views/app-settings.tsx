import type { ReactElement } from 'react';
import type { Brand } from '../../../core/apps/brand.ts';
import type { Appearance } from '../../../core/look/status-look.ts';
import type { AppResource } from '../../../schema/app.ts';
import { SettingForm } from '../forms/setting-form.tsx';
import { RecordRow, reasonText } from '../parts/cause.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts, SettingGroup } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { NotLoaded } from '../parts/loaded.tsx';
import { ShownState } from '../parts/pill.tsx';
import { ViewPage } from '../parts/same-by.tsx';
import { changeApp, planIncludes, useApp, useCan, useScope, useViewPath } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { OriginProbes } from './origin-probes.tsx';

type Field = keyof Brand | 'name' | 'origin_url' | 'whitelabel_host' | 'apex_redirect_default';

/** Shows and changes the app: its name, its origin, its white-label host and the default for apex domains. */
export function AppSettings(): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { value: app, error } = useApp();
  if (app === null) return <NotLoaded error={error} />;
  const setting = (field: Field, label: string, more: Partial<Parameters<typeof SettingForm>[0]> = {}) => (
    <SettingForm
      label={label}
      field={field}
      value={app[field]}
      mayChange={mayChange}
      save={async (value, expected) => {
        await changeApp(scope, field, value, expected);
        return 'Saved.';
      }}
      {...more}
    />
  );
  return (
    <ViewPage of="app">
      <div className="box">
        <SettingGroup title="Name" text="Your customers read it on the connect page.">
          {setting('name', 'Name', { maxLength: 80, isTitled: true })}
          <Facts
            of={[
              ['Id', <CopyText key="id" text={app.id} what="the app's id" />],
              ['Created', <SinceText key="created" at={app.created_at} />],
            ]}
          />
        </SettingGroup>
        <SettingGroup title="Origin" text="Requests for all domains are forwarded to it.">
          {setting('origin_url', 'Address', { placeholder: 'https://app.example.com' })}
          <OriginProbe of={app} />
          {app.origin_url === null ? null : <OriginProbes />}
        </SettingGroup>
        <WhiteLabel of={app}>
          {setting('whitelabel_host', 'Host', { placeholder: 'domains.example.com', clearable: true })}
        </WhiteLabel>
        <SettingGroup
          title="Connect page"
          text="The look of the page on which your customers set their records."
        >
          {setting('brand_color', 'Accent colour, such as #1f4fd1', {
            placeholder: '#rrggbb',
            clearable: true,
          })}
          {setting('support_url', 'Support link for customers: an https URL, or mailto: with an address', {
            placeholder: 'https://help.example.com',
            clearable: true,
          })}
          {setting('return_url', 'Page to which your customers return', {
            placeholder: 'https://app.example.com',
            clearable: true,
          })}
          <p className="muted">
            {app.brand_logo === null ? 'There is no logo.' : 'There is a logo.'} The CLI sets it:{' '}
            <code>nameplate apps update --brand-logo logo.png</code>
          </p>
        </SettingGroup>
        <SettingGroup title="Apex domains" text="The default for new apex domains.">
          {setting('apex_redirect_default', 'Redirects', {
            options: [
              ['none', 'Serve the apex only'],
              ['www', 'Also serve www, and redirect it to the apex'],
            ],
          })}
        </SettingGroup>
      </div>
    </ViewPage>
  );
}

/** Shows the latest probe of the origin. */
function OriginProbe({ of: app }: { of: AppResource }): ReactElement {
  const { origin_url, origin_checked_at, origin_reachable, origin_latency_ms } = app;
  if (origin_url === null) {
    return <p className="muted">Without an origin, test domains show a sample page.</p>;
  }
  const look: Appearance =
    origin_checked_at === null
      ? { words: 'Not probed yet', tone: 'wait', icon: 's-wait' }
      : origin_reachable
        ? { words: `Reached in ${origin_latency_ms} ms`, tone: 'good', icon: 's-active' }
        : { words: reasonText(app.origin_status_reason), tone: 'bad', icon: 's-broken' };
  return (
    <>
      <p className="now">
        <ShownState {...look} />
        {origin_reachable === false ? <span className="code-of">{app.origin_status_reason}</span> : null}
        {origin_checked_at === null ? null : <SinceText at={origin_checked_at} />}
      </p>
      {app.origin_unreachable ? (
        <p className="bad-text">Unreachable: 3 probes in a row have failed.</p>
      ) : null}
    </>
  );
}

function WhiteLabel({ of: app, children }: { of: AppResource; children: ReactElement }): ReactElement {
  const { account } = useScope();
  const viewPath = useViewPath();
  const included = planIncludes(account, 'whitelabel');
  const { whitelabel_host, whitelabel_verified, whitelabel_grace_ends_at } = app;
  return (
    <SettingGroup
      title="Your own host"
      text="White label: your customers point their records to this host instead of ours."
    >
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
      <dl className="record">
        <RecordRow name="CNAME to" copied={app.whitelabel_target} what="the target of the CNAME">
          <code>{app.whitelabel_target}</code>
        </RecordRow>
        {app.whitelabel_found === null ? null : (
          <RecordRow name="Found">
            <code>{app.whitelabel_found}</code>
          </RecordRow>
        )}
      </dl>
      {whitelabel_host === null ? null : (
        <p className="now">
          <ShownState {...(whitelabel_verified ? VERIFIED : NOT_VERIFIED)} />
          {app.whitelabel_checked_at === null ? null : <SinceText at={app.whitelabel_checked_at} />}
        </p>
      )}
    </SettingGroup>
  );
}

const VERIFIED: Appearance = { words: 'Verified', tone: 'good', icon: 's-active' };
const NOT_VERIFIED: Appearance = { words: 'Not verified', tone: 'wait', icon: 's-wait' };
