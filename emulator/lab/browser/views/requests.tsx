import type { ReactElement } from 'react';
import { usePlace } from '../../../../shared/dashboard/browser/navigation.ts';
import { Empty } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { ListHead, SearchField } from '../../../../shared/dashboard/browser/parts/list-head.tsx';
import { ListPane, WholeRows } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { ResponsePill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { useFilter } from '../../../../shared/dashboard/browser/router.ts';
import { useViewPath } from '../../../../shared/dashboard/browser/scope.ts';
import { TimeLabel } from '../../../../shared/dashboard/browser/times.tsx';
import type { RequestAtEdge } from '../../responses.ts';
import { useEmulatorResource } from '../ask.ts';
import { RequestDetail } from './request-detail.tsx';

/** Lists the requests that visitors sent to the edge. */
export function Requests(): ReactElement {
  const { id } = usePlace();
  const viewPath = useViewPath();
  const [query, setFilter] = useFilter();
  const { value } = useEmulatorResource<{ data: RequestAtEdge[] }>('/requests');
  const search = (query['search'] ?? '').trim().toLowerCase();
  const matches = ({ method, host, path, request_id, status }: RequestAtEdge) =>
    `${method} ${host ?? ''}${path} ${request_id} ${status ?? ''}`.toLowerCase().includes(search);
  const rows = value?.data.filter(matches) ?? null;
  const list = (
    <>
      <ListHead title="Requests" total={rows?.length ?? null}>
        <SearchField
          label="Method, host, path, status or id"
          value={query['search'] ?? ''}
          onChange={(text) => setFilter('search', text)}
        />
      </ListHead>
      <WholeRows<RequestAtEdge>
        label="Requests at the edge"
        rows={rows}
        openId={id}
        idOf={(row) => row.request_id}
        hrefOf={(row) => viewPath('requests', row.request_id, query)}
        draw={RequestRow}
        empty={
          search === '' ? (
            <Empty title="No requests yet">
              <p>
                Choose "Open at the edge" on an active domain, or send the edge a request with its Host
                header.
              </p>
            </Empty>
          ) : (
            <Empty title="No request matches this filter." />
          )
        }
      />
    </>
  );
  const seen = id === null ? undefined : value?.data.find(({ request_id }) => request_id === id);
  const detail = id === null || value === null ? null : <RequestDetail id={id} of={seen ?? null} key={id} />;
  return <ListPane list={list} detail={detail} />;
}

function RequestRow({ method, host, path, status, at }: RequestAtEdge): ReactElement {
  return (
    <>
      <span className="row-main">
        <span className="method">{method}</span> {path}
      </span>
      <span className="row-state">
        <ResponsePill status={status} />
      </span>
      <span className="row-more">{host ?? 'no Host'}</span>
      <span className="row-time">
        <TimeLabel at={at} />
      </span>
    </>
  );
}
