import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { STATUSES } from '../../../core/domains/status.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import type { AppOverview } from '../../responses.ts';
import { useResource } from '../ask.ts';
import { AddDomain } from '../forms/add-domain.tsx';
import { ExportDomains } from '../forms/export-domains.tsx';
import { usePlace } from '../navigation.ts';
import { CursorList } from '../parts/cursor-list.tsx';
import { Empty } from '../parts/facts.tsx';
import { Choice, cappedCount, ListHead, SearchField } from '../parts/list-head.tsx';
import { ListPane } from '../parts/list-pane.tsx';
import { ShownStatus } from '../parts/pill.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { useFilter, withQuery } from '../router.ts';
import { SAME_BY } from '../same-by.ts';
import { apiPath, useCan, useScope, useViewPath } from '../scope.ts';
import { TimeLabel } from '../times.tsx';
import { DomainDetail } from './domain-detail.tsx';

/** Lists the domains of the app in the page's mode, with the details of the selected one. */
export function Domains(): ReactElement {
  const scope = useScope();
  const { id } = usePlace();
  const viewPath = useViewPath();
  const [query, setFilter] = useFilter();
  const [isAdding, setAdding] = useState(false);
  const mayChange = useCan('developer');
  const overview = useResource<AppOverview>(`/apps/${encodeURIComponent(scope.app.id)}/overview`).value;
  const counts = overview?.[scope.mode].by_status ?? null;
  const status = query['status'] ?? '';
  const filter = apiFilter(query);
  const listPath = withQuery(apiPath(scope, '/domains'), filter);
  const isFiltered = Object.keys(filter).length > 0;
  const isSearch = 'hostname' in filter || query['metadata'] !== undefined;

  const list = (
    <>
      <CursorList<DomainResource>
        label="Domains"
        path={listPath}
        openId={id}
        idOf={(row) => row.id}
        hrefOf={(row) => viewPath('domains', row.id, query)}
        draw={DomainRow}
        head={({ rows, hasMore }) => (
          <ListHead
            title="Domains"
            total={isSearch ? (hasMore ? null : (rows?.length ?? null)) : countOf(counts, status)}
            action={
              <>
                <ExportDomains path={listPath} />
                {mayChange ? (
                  <button type="button" className="small-button primary" onClick={() => setAdding(true)}>
                    <Icon name="plus" /> Add
                  </button>
                ) : null}
              </>
            }
          >
            <SearchField
              label="Hostname begins with"
              value={query['hostname'] ?? ''}
              onChange={(text) => setFilter('hostname', text)}
            />
            <Choice
              label="Status"
              value={status}
              options={statusOptions(counts)}
              onChange={(chosen) => setFilter('status', chosen)}
            />
            <MetadataField value={query['metadata'] ?? ''} onChange={(text) => setFilter('metadata', text)} />
          </ListHead>
        )}
        empty={
          isFiltered ? (
            <Empty title="No domain matches this filter." />
          ) : (
            <Empty title={`No ${scope.mode} domains yet`}>
              <p>
                {scope.mode === 'test'
                  ? 'Add one here or with POST /v1/domains. A test domain becomes active by itself.'
                  : 'Add one here or with POST /v1/domains, then send your customer its connect page.'}
              </p>
            </Empty>
          )
        }
      />
      <SameByApi of={SAME_BY.domains} />
      {isAdding ? <AddDomain onClose={() => setAdding(false)} /> : null}
    </>
  );
  return <ListPane list={list} detail={id === null ? null : <DomainDetail id={id} key={id} />} />;
}

/** A filter for one metadata value, such as `customer=42`. It applies once it has a name and a value. */
function MetadataField(props: { value: string; onChange: (text: string) => void }): ReactElement {
  return (
    <input
      className="metadata-filter"
      aria-label="Metadata, such as customer=42"
      placeholder="Metadata: customer=42"
      value={props.value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => props.onChange(event.target.value)}
    />
  );
}

/** Returns the query of the API for the filters in the URL. The API accepts only characters that a hostname can have. */
function apiFilter({
  hostname = '',
  status = '',
  metadata = '',
}: Record<string, string>): Record<string, string> {
  const prefix = hostname
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9.-]/g, '');
  const at = metadata.indexOf('=');
  const [name, value] = [metadata.slice(0, at).trim(), metadata.slice(at + 1).trim()];
  return {
    ...(prefix !== '' && { hostname: prefix }),
    ...(STATUSES.some((each) => each === status) && { status }),
    ...(at > 0 && name !== '' && value !== '' && { [`metadata.${name}`]: value }),
  };
}

type Counts = AppOverview['live']['by_status'];

/** Deleted domains are not listed. */
const LISTED = STATUSES.filter((status) => status !== 'deleted');

function countOf(counts: Counts | null, status: string): number | null {
  if (counts === null) return null;
  const chosen = LISTED.filter((each) => status === '' || each === status);
  return chosen.reduce((sum, each) => sum + (counts[each] ?? 0), 0);
}

function statusOptions(counts: Counts | null): [string, string][] {
  return [
    ['', 'Any status'],
    ...LISTED.map((status): [string, string] => [
      status,
      counts === null ? status : `${status} (${cappedCount(counts[status] ?? 0)})`,
    ]),
  ];
}

function DomainRow({
  hostname,
  status,
  status_reason,
  certificate,
  metadata,
  created_at,
}: DomainResource): ReactElement {
  return (
    <>
      <span className="row-main">{hostname}</span>
      <span className="row-state">
        <ShownStatus status={status} hasCertificate={certificate !== null} />
      </span>
      <span className="row-more">{[status_reason, metadataWords(metadata)].filter(Boolean).join(' · ')}</span>
      <span className="row-time">
        <TimeLabel at={created_at} />
      </span>
    </>
  );
}

function metadataWords(metadata: DomainResource['metadata']): string {
  return Object.entries(metadata ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
