import type { ReactElement, ReactNode } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { statusLook } from '../../../core/look/status-look.ts';
import { isReasonCode, REASONS } from '../../../core/reasons.ts';
import type { Diagnosis } from '../../../schema/diagnosis.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import type { EventList } from '../../../schema/event.ts';
import { useAddition } from '../addition.ts';
import { DeleteDomain } from '../forms/delete-domain.tsx';
import { DomainSettings } from '../forms/domain-settings.tsx';
import { hasValidCertificate } from '../page-clock.ts';
import { type Cause, CauseBox } from '../parts/cause.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DetailHead, MissingDetail } from '../parts/detail-head.tsx';
import { CertificateFacts, DomainRecords } from '../parts/domain-facts.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { CommandButton } from '../parts/forms.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { Steps } from '../parts/steps.tsx';
import { sameByForDomain } from '../same-by.ts';
import { askApi, type PageScope, useApi, useCan, useScope } from '../scope.ts';
import { SinceText, TimeLabel } from '../times.tsx';
import { ConnectPreviewView } from './connect-preview.tsx';
import { Diagnose, useDiagnosis } from './diagnose.tsx';
import { Timeline } from './timeline.tsx';
import { DomainTrafficSection } from './traffic.tsx';

const EVENTS_SHOWN = 50;

/**
 * Shows one domain: the cause of its state and what to do, then its steps, records and history, with its facts beside them.
 * @param near the links to the domains beside it in the list.
 */
export function DomainDetail({ id, near }: { id: string; near: ReactNode }): ReactElement {
  const path = `/domains/${encodeURIComponent(id)}`;
  const { value: domain, error } = useApi<DomainResource>(path);
  if (error !== null) return <MissingDetail what="Domain" id={id} error={error} />;
  if (domain !== null) return <ShownDomain of={domain} path={path} near={near} />;
  return (
    <div className="detail-head">
      <div className="actions">{near}</div>
    </div>
  );
}

function ShownDomain(input: { of: DomainResource; path: string; near: ReactNode }): ReactElement {
  const { of: domain, path, near } = input;
  const addition = useAddition();
  const query = new URLSearchParams({ domain_id: domain.id, limit: String(EVENTS_SHOWN) });
  const events = useApi<EventList>(`/events?${query}`);
  const check = useDiagnosis(`${path}/diagnosis`, domain.status);
  const { status, status_reason: reason, status_detail: detail } = domain;
  const look = statusLook(status, hasValidCertificate(domain));
  const findings = check.diagnosis?.findings ?? [];
  const found = isCurrent(check.diagnosis, domain) ? findings.find(({ code }) => code === reason) : undefined;
  const cause = reason === null ? null : (found ?? (detail && { ...detail, code: reason }));
  // A later event can have the same status, such as a renewal.
  const change = events.value?.data.find((each) => each.status === status && each.previous_status !== status);
  return (
    <div className="detail">
      <Head of={domain} path={path} since={change?.created_at} near={near} />
      <div className="col">
        {cause === null ? null : (
          <CauseBox of={cause} tone={look.tone} icon={look.icon}>
            <NextStep of={domain} cause={cause} />
          </CauseBox>
        )}
        <Steps of={domain} events={events.value?.data ?? []} />
        <DomainRecords of={domain} />
        <Diagnose check={check} findings={findings.filter(({ code }) => code !== cause?.code)} />
        <DomainTrafficSection path={path} />
        <Timeline domainId={domain.id} events={events} />
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

/** Returns whether no check of the domain is newer than the diagnosis. */
function isCurrent(diagnosis: Diagnosis | null, { last_checked_at }: DomainResource): boolean {
  if (diagnosis === null || last_checked_at === null) return diagnosis !== null;
  return Date.parse(diagnosis.checked_at ?? '') >= Date.parse(last_checked_at);
}

function Head(input: {
  of: DomainResource;
  path: string;
  since: string | undefined;
  near: ReactNode;
}): ReactElement {
  const { of: domain, path, since, near } = input;
  const scope = useScope();
  const mayChange = useCan('developer');
  const { hostname, status, mode, next_check_at } = domain;
  const hasCertificate = hasValidCertificate(domain);
  const isServed = status === 'active' || (status === 'cert_failed' && hasCertificate);
  const plate = mode === 'test' ? 'plate paper' : isServed ? 'plate' : 'plate loose';
  return (
    <DetailHead
      title={hostname}
      look={plate}
      actions={
        <>
          {near}
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
        <ShownStatus status={status} hasCertificate={hasCertificate} />
        {since === undefined ? null : (
          <span>
            since <TimeLabel at={since} />
          </span>
        )}
        {mode === 'test' ? null : isServed ? (
          <span>Visitors reach your app</span>
        ) : (
          <span>Visitors {status === 'dns_broken' ? 'may' : 'do'} not reach your app</span>
        )}
        {next_check_at === null ? null : (
          <span>
            {status === 'cert_failed' ? 'Next DNS check' : 'Next check'} <TimeLabel at={next_check_at} />
          </span>
        )}
      </p>
    </DetailHead>
  );
}

/** Says who makes the change, and what happens after it. */
function NextStep({ of, cause }: { of: DomainResource; cause: Cause }): ReactElement | null {
  const { hostname, mode, connect_url } = of;
  const { group, severity } = isReasonCode(cause.code) ? REASONS[cause.code] : { group: '', severity: '' };
  const isUpToCustomer = (cause.changes ?? []).length > 0 || (group === 'dns' && severity === 'error');
  if (!isUpToCustomer) return null;
  const body = `To connect ${hostname}, open this page and follow its steps: ${connect_url}`;
  return (
    <div className="actions">
      <a className="btn" href={`mailto:?subject=${hostname}&body=${encodeURIComponent(body)}`}>
        <Icon name="mail" /> Write to your customer
      </a>
      <span className="muted small">
        The connect page tells your customer the same. After the change, we check again automatically
        {mode === 'live' ? ', or at once if you use the button above' : ''}.
      </span>
    </div>
  );
}

function facts(domain: DomainResource): [name: string, value: ReactElement | string | null][] {
  const { metadata, origin_headers, last_checked_at } = domain;
  return [
    ['Id', <CopyText key="id" text={domain.id} what="the id" />],
    [
      'Metadata',
      metadata && (
        <code>
          <Pairs of={metadata} />
        </code>
      ),
    ],
    ['Origin', domain.origin ?? 'The origin of the app'],
    [
      'Origin headers',
      origin_headers && (
        <code>
          <Pairs of={origin_headers} />
        </code>
      ),
    ],
    ['Apex redirect', domain.is_apex ? domain.apex_redirect : null],
    ['Added', <SinceText key="added" at={domain.created_at} />],
    ['DNS checked', last_checked_at && <SinceText at={last_checked_at} />],
  ];
}

async function verify(scope: PageScope, path: string): Promise<string> {
  await askApi(scope, `POST ${path}/verify`, {});
  return 'Check queued. The result appears here.';
}
