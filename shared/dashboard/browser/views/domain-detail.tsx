import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { isAwaitingDns, type Status } from '../../../core/domains/status.ts';
import { statusLook } from '../../../core/look/status-look.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import type { EventList } from '../../../schema/event.ts';
import { useAddition } from '../addition.ts';
import { DeleteDomain } from '../forms/delete-domain.tsx';
import { DomainSettings } from '../forms/domain-settings.tsx';
import { CauseBox } from '../parts/cause.tsx';
import { CommandButton } from '../parts/command-button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DetailHead, MissingDetail } from '../parts/detail-head.tsx';
import { CertificateFacts, DomainRecords } from '../parts/domain-facts.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { Steps } from '../parts/steps.tsx';
import { sameByForDomain } from '../same-by.ts';
import { askApi, type PageScope, useApi, useCan, useScope } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { ConnectPreviewView } from './connect-preview.tsx';
import { Diagnose, useDiagnosis } from './diagnose.tsx';
import { Timeline } from './timeline.tsx';
import { DomainTrafficSection } from './traffic.tsx';

const EVENTS_SHOWN = 50;

/** Shows one domain: the cause of its state and what to do, then its steps, records and history, with its facts beside them. */
export function DomainDetail({ id }: { id: string }): ReactElement | null {
  const path = `/domains/${encodeURIComponent(id)}`;
  const { value: domain, error } = useApi<DomainResource>(path);
  if (error !== null) return <MissingDetail what="Domain" id={id} error={error} />;
  return domain === null ? null : <ShownDomain of={domain} path={path} />;
}

function ShownDomain({ of: domain, path }: { of: DomainResource; path: string }): ReactElement {
  const addition = useAddition();
  const query = new URLSearchParams({ domain_id: domain.id, limit: String(EVENTS_SHOWN) });
  const { value: events, error } = useApi<EventList>(`/events?${query}`);
  const check = useDiagnosis(`${path}/diagnosis`, domain.status);
  const { status, status_reason: reason, status_detail: detail } = domain;
  const look = statusLook(status, domain.certificate !== null);
  // The diagnosis is newer than the reason that the last check has stored, and has the changes to records.
  const findings = check.diagnosis?.findings ?? [];
  const found = findings.find(({ code }) => code === reason);
  const cause = reason === null ? null : (found ?? (detail && { ...detail, code: reason }));
  return (
    <div className="detail">
      <Head of={domain} path={path} since={events?.data.find((each) => each.status === status)?.created_at} />
      <div className="col">
        {cause === null ? null : (
          <CauseBox of={cause} tone={look.tone} icon={look.icon}>
            <NextStep of={domain} />
          </CauseBox>
        )}
        <Steps of={domain} events={events?.data ?? []} />
        <DomainRecords of={domain} />
        <Diagnose check={check} findings={findings.filter((each) => each !== found)} />
        <DomainTrafficSection path={path} />
        <Timeline domainId={domain.id} events={events} error={error} />
        <DomainSettings of={domain} />
      </div>
      <aside className="rail" aria-label="Facts">
        {addition === null ? null : <addition.OfDomain of={domain} />}
        <ConnectPreviewView of={domain} />
        <CertificateFacts of={domain} />
        <Section title="Facts">
          <Facts of={facts(domain)} />
        </Section>
      </aside>
      <SameByApi of={sameByForDomain(domain.id, domain.hostname)} />
    </div>
  );
}

function Head({
  of: domain,
  path,
  since,
}: {
  of: DomainResource;
  path: string;
  since: string | undefined;
}): ReactElement {
  const scope = useScope();
  const mayChange = useCan('developer');
  const { hostname, status, mode, next_check_at } = domain;
  const isServed = status === 'active' || (status === 'cert_failed' && domain.certificate !== null);
  const plate = mode === 'test' ? 'plate paper' : isServed ? 'plate' : 'plate loose';
  return (
    <DetailHead
      title={hostname}
      look={plate}
      actions={
        <>
          {mayChange && mode === 'live' ? (
            <CommandButton className="btn lead" work={() => verify(scope, path)}>
              <Icon name="retry" /> {status === 'cert_failed' ? 'Try again now' : 'Check now'}
            </CommandButton>
          ) : null}
          <a className="btn" href={domain.connect_url} target="_blank" rel="noreferrer">
            Connect page <Icon name="out" />
          </a>
          {mayChange ? <DeleteDomain of={domain} /> : null}
        </>
      }
    >
      <p className="now">
        <ShownStatus status={status} hasCertificate={domain.certificate !== null} />
        {since === undefined ? null : (
          <span>
            since <SinceText at={since} />
          </span>
        )}
        {mode === 'live' ? <span>{VISITORS[isServed ? 'active' : status]}</span> : null}
        {next_check_at === null ? null : (
          <span>
            Next check <SinceText at={next_check_at} />
          </span>
        )}
      </p>
    </DetailHead>
  );
}

/** What visitors of a domain notice in each status. */
const VISITORS: Partial<Record<Status, string>> = {
  active: 'Visitors reach your app',
  pending_dns: 'Visitors do not reach your app yet',
  verifying: 'Visitors do not reach your app yet',
  issuing: 'Visitors do not reach your app yet',
  cert_failed: 'Visitors do not reach your app yet',
  dns_broken: 'Visitors may not reach your app',
  held: 'Visitors do not reach your app',
};

/** Says who can make the change, and what happens after it. */
function NextStep({ of: { hostname, status, connect_url } }: { of: DomainResource }): ReactElement | null {
  if (!isAwaitingDns(status) && status !== 'dns_broken' && status !== 'cert_failed') return null;
  const mail = new URLSearchParams({
    subject: `${hostname}: one change is needed`,
    body: `To connect ${hostname}, open this page and follow its steps: ${connect_url}`,
  });
  return (
    <div className="actions">
      <a className="btn" href={`mailto:?${mail.toString().replaceAll('+', '%20')}`}>
        <Icon name="mail" /> Write to your customer
      </a>
      <span className="muted small">
        The connect page tells your customer the same. After the change, we find it by ourselves.
      </span>
    </div>
  );
}

function facts(domain: DomainResource): [name: string, value: ReactElement | string | null][] {
  const { metadata, origin_headers, last_checked_at } = domain;
  return [
    ['Id', <CopyText key="id" text={domain.id} what="the id" />],
    ['Metadata', metadata && <code>{pairs(metadata)}</code>],
    ['Origin', domain.origin ?? 'The origin of the app'],
    ['Origin headers', origin_headers && <code>{pairs(origin_headers)}</code>],
    ['Apex redirect', domain.is_apex ? domain.apex_redirect : null],
    ['Added', <SinceText key="added" at={domain.created_at} />],
    ['Changed', <SinceText key="changed" at={domain.updated_at} />],
    ['DNS checked', last_checked_at && <SinceText at={last_checked_at} />],
  ];
}

function pairs(of: Record<string, unknown>): string {
  const texts = Object.entries(of).map(
    ([key, value]) => `${key} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return texts.join(', ');
}

async function verify(scope: PageScope, path: string): Promise<string> {
  await askApi(scope, `POST ${path}/verify`, {});
  return 'Check queued. The result appears here.';
}
