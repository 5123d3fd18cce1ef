import { type ReactElement, useState } from 'react';
import { Icon } from '../../../connect/panels/icons.tsx';
import { STATUSES, type Status } from '../../../core/domains/status.ts';
import { STATUS_LOOKS } from '../../../core/look/status-look.ts';
import type { DomainResource } from '../../../schema/domain.ts';
import type { ModeOverview } from '../../responses.ts';
import { AddDomain } from '../forms/add-domain.tsx';
import { ExportDomains } from '../forms/export-domains.tsx';
import { hostnamePrefix } from '../hostname-prefix.ts';
import { usePlace } from '../navigation.ts';
import { hasValidCertificate } from '../page-clock.ts';
import { CursorList } from '../parts/cursor-list.tsx';
import { Empty } from '../parts/facts.tsx';
import { Link } from '../parts/link.tsx';
import { Chips, ListHead, SearchField } from '../parts/list-head.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { ReasonWords, ShownStatus } from '../parts/pill.tsx';
import { Cells } from '../parts/row-list.tsx';
import { SameByApi } from '../parts/same-by.tsx';
import { go, useFilter, withQuery } from '../router.ts';
import {
  apiPath,
  domainCount,
  LISTED_STATUSES,
  useCan,
  useIdPath,
  useOverview,
  useScope,
  useViewPath,
} from '../scope.ts';
import { DomainDetail } from './domain-detail.tsx';

/** Lists the domains of the app in the page's mode. The details of a domain are a page of their own. */
export function Domains(): ReactElement {
  const scope = useScope();
  const { id } = usePlace();
  const viewPath = useViewPath();
  const idPath = useIdPath();
  const [query, setFilter] = useFilter();
  const [hasMetadata, setHasMetadata] = useState(false);
  const mayChange = useCan('developer');
  const counts = useOverview(scope.app.id).value?.[scope.mode].by_status ?? null;
  const { status = '', hostname = '', metadata = '' } = query;
  const filter = apiFilter(query);
  const listPath = withQuery(apiPath(scope, '/domains'), filter);
  const isSearch = 'hostname' in filter || metadata !== '';
  const addButton = mayChange ? <AddDomain /> : null;

  return (
    <CursorList<DomainResource>
      label="Domains"
      columns={COLUMNS}
      path={listPath}
      openId={id}
      idOf={(row) => row.id}
      hrefOf={(row) => viewPath('domains', row.id, query)}
      draw={DomainRow}
      head={({ rows, hasMore }) => (
        <ListHead
          title="Filter the domains"
          total={isSearch ? (hasMore ? null : (rows?.length ?? null)) : totalOf(counts, status)}
          action={
            <>
              <button
                type="button"
                className="btn bare icon"
                aria-label="Filter by metadata"
                title="Filter by metadata"
                aria-expanded={hasMetadata || metadata !== ''}
                onClick={() => setHasMetadata(!hasMetadata)}
              >
                <Icon name="filter" />
              </button>
              <ExportDomains path={listPath} />
              {addButton}
            </>
          }
        >
          <SearchField
            label="Hostname begins with"
            value={hostname}
            onChange={(text) => {
              const path = idPath(text);
              if (path === null) setFilter('hostname', text);
              else go(path);
            }}
          />
          <Chips
            label="Status"
            value={status}
            options={statusOptions(counts, status)}
            hrefOf={(chosen) => viewPath('domains', null, { ...query, status: chosen })}
          />
          {hasMetadata || metadata !== '' ? (
            <input
              className="metadata-filter"
              aria-label="Metadata, such as customer=42"
              placeholder="Metadata: customer=42"
              value={metadata}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => setFilter('metadata', target.value)}
            />
          ) : null}
        </ListHead>
      )}
      empty={
        Object.keys(filter).length > 0 ? (
          <Empty title="No domain matches this filter." />
        ) : (
          <Empty title={`No ${scope.mode} domains yet`}>
            <span className={scope.mode === 'test' ? 'plate paper' : 'plate loose'}>
              <span>your.customer.com</span>
            </span>
            <p>
              {scope.mode === 'test'
                ? 'Add a hostname. A test domain becomes active by itself, and nothing reaches real visitors.'
                : "Add a customer's hostname. You get the record for their DNS, and a page that you can send them."}
            </p>
            <div className="actions">{addButton}</div>
            <p className="code-of">nameplate domains add careers.acme.com</p>
          </Empty>
        )
      }
      foot={<SameByApi of="domains" />}
      isPage
      detail={({ rows }) => {
        const place = rows?.findIndex((row) => row.id === id) ?? -1;
        const near =
          rows === null || place === -1 ? null : (
            <Neighbours of={rows} place={place} total={isSearch ? rows.length : totalOf(counts, status)} />
          );
        return id && <DomainDetail id={id} key={id} near={near} />;
      }}
    />
  );
}

/** Links to the domains before and after the open one in the loaded list. */
function Neighbours(input: {
  of: readonly DomainResource[];
  place: number;
  total: number | null;
}): ReactElement {
  const { of, place, total } = input;
  const viewPath = useViewPath();
  const [query] = useFilter();
  const link = (key: string, words: string, icon: 'left' | 'right', row: DomainResource | undefined) =>
    row === undefined ? null : (
      <Link
        className="btn bare icon"
        href={viewPath('domains', row.id, query)}
        aria-label={words}
        title={`${words} (${key.toUpperCase()})`}
        data-near={key}
      >
        <Icon name={icon} />
      </Link>
    );
  return (
    <>
      <span className="muted small">
        {place + 1} of {total ?? of.length}
      </span>
      {link('k', 'Previous domain', 'left', of[place - 1])}
      {link('j', 'Next domain', 'right', of[place + 1])}
    </>
  );
}

const COLUMNS = ['Hostname', 'Status', 'Why', 'Metadata', 'Changed'];

/**
 * Returns the query of the API for the filters in the URL. The API accepts only characters that a hostname can have. The filter for metadata,
 * such as `customer=42`, applies once it has a name and a value.
 */
function apiFilter({
  hostname = '',
  status = '',
  metadata = '',
}: Record<string, string>): Record<string, string> {
  const prefix = hostnamePrefix(hostname);
  const at = metadata.indexOf('=');
  const [name, value] = [metadata.slice(0, at).trim(), metadata.slice(at + 1).trim()];
  return {
    ...(prefix !== '' && { hostname: prefix }),
    ...(STATUSES.some((each) => each === status) && { status }),
    ...(at > 0 && name !== '' && value !== '' && { [`metadata.${name}`]: value }),
  };
}

type Counts = ModeOverview['by_status'];

function totalOf(counts: Counts | null, status: string): number | null {
  if (counts === null) return null;
  return status === '' ? domainCount({ by_status: counts }) : (counts[status as Status] ?? 0);
}

/** Returns a choice for each status that occurs, and for the chosen one. */
function statusOptions(counts: Counts | null, chosen: string): [string, string, number?][] {
  const shown = LISTED_STATUSES.filter((status) => status === chosen || (counts?.[status] ?? 0) > 0);
  return [
    counts === null ? ['', 'All'] : ['', 'All', domainCount({ by_status: counts })],
    ...shown.map((status): [string, string, number] => [
      status,
      STATUS_LOOKS[status].words,
      counts?.[status] ?? 0,
    ]),
  ];
}

function DomainRow(domain: DomainResource): ReactElement {
  const { hostname, status, status_reason: reason, metadata, updated_at } = domain;
  return (
    <Cells
      name={hostname}
      state={<ShownStatus status={status} hasCertificate={hasValidCertificate(domain)} />}
      why={reason && <ReasonWords code={reason} />}
      more={
        <code>
          <Pairs of={metadata} />
        </code>
      }
      title={JSON.stringify(metadata)}
      at={updated_at}
    />
  );
}
