import type { ReactElement } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import type { DomainResource } from '../../../schema/domain.ts';
import { useAddition } from '../addition.ts';
import { DeleteDomain } from '../forms/delete-domain.tsx';
import { DomainSettings } from '../forms/domain-settings.tsx';
import { CommandButton } from '../parts/command-button.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { DetailHead, MissingDetail } from '../parts/detail-head.tsx';
import { CertificateFacts, DomainRecords } from '../parts/domain-facts.tsx';
import { Facts, Section } from '../parts/facts.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { sameByForDomain } from '../same-by.ts';
import { askApi, type PageScope, useApi, useCan, useScope } from '../scope.ts';
import { SinceText } from '../times.tsx';
import { ConnectPreviewView } from './connect-preview.tsx';
import { Diagnose } from './diagnose.tsx';
import { Timeline } from './timeline.tsx';
import { DomainTrafficSection } from './traffic.tsx';

/** Shows one domain with its records, its diagnosis and its timeline. */
export function DomainDetail({ id }: { id: string }): ReactElement | null {
  const scope = useScope();
  const mayChange = useCan('developer');
  const addition = useAddition();
  const path = `/domains/${encodeURIComponent(id)}`;
  const { value: domain, error } = useApi<DomainResource>(path);
  if (error !== null) return <MissingDetail what="Domain" id={id} error={error} />;
  if (domain === null) return null;
  const { hostname, status, status_detail: detail } = domain;
  return (
    <>
      <DetailHead
        title={hostname}
        state={<ShownStatus status={status} hasCertificate={domain.certificate !== null} />}
        actions={
          mayChange ? (
            <>
              {scope.mode === 'live' ? (
                <CommandButton className="primary" work={() => verify(scope, path)}>
                  <Icon name="retry" /> Verify now
                </CommandButton>
              ) : null}
              <DeleteDomain of={domain} />
            </>
          ) : undefined
        }
      />
      {addition === null ? null : <addition.OfDomain of={domain} />}
      {detail === null ? null : (
        <div className={`verdict ${status === 'active' ? 'good' : 'wait'}`}>
          <p>
            <code>{domain.status_reason}</code>
          </p>
          <p>{detail.hint}</p>
          <Facts
            of={[
              ['Expected', <code key="expected">{detail.expected}</code>],
              ['Found', detail.found && <code>{detail.found}</code>],
            ]}
          />
        </div>
      )}
      <ConnectPreviewView of={domain} />
      <DomainRecords of={domain} />
      <Diagnose path={`${path}/diagnosis`} status={status} />
      <DomainTrafficSection path={path} />
      <Timeline domainId={id} />
      <CertificateFacts of={domain} />
      <DomainSettings of={domain} />
      <Section title="Facts">
        <Facts of={facts(domain)} />
      </Section>
      <SameByApi of={sameByForDomain(id, hostname)} />
    </>
  );
}

function facts(domain: DomainResource): [name: string, value: ReactElement | string | null][] {
  const { origin_headers, last_checked_at, next_check_at } = domain;
  return [
    ['Id', <CopyText key="id" text={domain.id} what="the id" />],
    ['Added', <SinceText key="added" at={domain.created_at} />],
    ['Changed', <SinceText key="changed" at={domain.updated_at} />],
    ['Checked', last_checked_at && <SinceText at={last_checked_at} />],
    ['Next check', next_check_at && <SinceText at={next_check_at} />],
    ['Apex redirect', domain.is_apex ? domain.apex_redirect : null],
    ['Origin headers', origin_headers && <code>{JSON.stringify(origin_headers)}</code>],
  ];
}

async function verify(scope: PageScope, path: string): Promise<string> {
  await askApi(scope, `POST ${path}/verify`, {});
  return 'Check queued. The result appears here.';
}
