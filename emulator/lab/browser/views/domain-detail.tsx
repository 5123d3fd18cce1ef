import type { ReactElement } from 'react';
import { Icon } from '../../../../shared/connect/panels/icons.tsx';
import { CopyText } from '../../../../shared/dashboard/browser/parts/copy-text.tsx';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import {
  CertificateFacts,
  DomainRecords,
  Findings,
} from '../../../../shared/dashboard/browser/parts/domain-facts.tsx';
import { Empty, Facts, Section } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { Link } from '../../../../shared/dashboard/browser/parts/link.tsx';
import { DeliveryPill, Pill, StatusPill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { SinceText, TimeText } from '../../../../shared/dashboard/browser/times.tsx';
import type { EmulatorStatus, InspectedDomain, ListedEvent, Listing } from '../../responses.ts';
import { TriggerPanel } from '../forms/trigger-panel.tsx';
import { pathTo } from '../navigation.ts';
import { useResource } from '../use-resource.ts';

const EVENTS_SHOWN = 20;

/** Shows everything known about one domain. */
export function DomainDetail({ id }: { id: string }): ReactElement | null {
  const { value, error } = useResource<InspectedDomain>(`/domains/${encodeURIComponent(id)}`);
  const status = useResource<EmulatorStatus>('/status');
  if (error !== null) {
    return (
      <>
        <DetailHead title={id} />
        <Empty title={error.status === 404 ? 'Domain not found' : error.message} />
      </>
    );
  }
  if (value === null) return null;
  const { domain, app_id, status_since, jobs } = value;
  const edge = status.value?.urls['edge'];
  return (
    <>
      <DetailHead
        title={domain.hostname}
        state={
          <>
            <StatusPill status={domain.status} />
            {domain.mode === 'test' ? <Pill tone="quiet">test</Pill> : null}
          </>
        }
        actions={
          <>
            <a className="button" href={domain.connect_url} target="_blank" rel="noreferrer">
              Connect page <Icon name="outside" />
            </a>
            {edge === undefined ? null : (
              <a className="button" href={atEdge(edge, domain.hostname)} target="_blank" rel="noreferrer">
                Open at the edge <Icon name="outside" />
              </a>
            )}
          </>
        }
      />
      <TriggerPanel of={value} />
      <Findings of={value.findings} />
      <Section title="Facts">
        <Facts
          of={[
            ['Id', <CopyText key="id" text={domain.id} what="the id" />],
            ['Since', <SinceText key="since" at={status_since} />],
            ['Reason', domain.status_reason && <code>{domain.status_reason}</code>],
            [
              'Due next',
              jobs.length === 0
                ? null
                : jobs.map(({ kind, due_at }) => (
                    <span className="line" key={kind}>
                      <code>{kind}</code> <SinceText at={due_at} />
                    </span>
                  )),
            ],
            ['App', <code key="app">{app_id}</code>],
            ['Origin', domain.origin && <code>{domain.origin}</code>],
            ['Metadata', domain.metadata && <code>{JSON.stringify(domain.metadata)}</code>],
            ['Origin headers', domain.origin_headers && <code>{JSON.stringify(domain.origin_headers)}</code>],
          ]}
        />
      </Section>
      <DomainRecords of={domain} />
      <CertificateFacts of={domain} />
      <DomainEvents id={id} />
    </>
  );
}

/** Returns a URL such as `careers.acme.com.localhost:4401`, which browsers resolve without any setup. */
function atEdge(edge: string, hostname: string): string {
  const url = new URL(edge);
  url.hostname = `${hostname.replace(/^\*\./, 'any.')}.localhost`;
  return url.href;
}

function DomainEvents({ id }: { id: string }): ReactElement {
  const query = new URLSearchParams({ domain_id: id, limit: String(EVENTS_SHOWN) });
  const { value } = useResource<Listing<ListedEvent>>(`/events?${query}`);
  const total = value?.total ?? 0;
  return (
    <Section
      title="Events"
      aside={
        total > EVENTS_SHOWN ? <Link href={pathTo('events', null, { search: id })}>All {total}</Link> : null
      }
    >
      {value === null || total > 0 ? null : <p className="muted">None yet.</p>}
      <ul className="plain">
        {value?.data.map((event) => (
          <li key={event.id}>
            <Link className="row-link" href={pathTo('events', event.id)}>
              <span className="row-time">
                <TimeText at={event.created_at} />
              </span>
              <span className="row-main">{event.type}</span>
              <DeliveryPill delivery={event.delivery} />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
