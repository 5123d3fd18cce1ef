import type { ReactElement } from 'react';
import { ResponsePill } from '../../../../shared/dashboard/browser/parts/pill.tsx';
import { Cells } from '../../../../shared/dashboard/browser/parts/row-list.tsx';
import type { RequestAtEdge } from '../../responses.ts';
import { SearchedList } from '../parts/searched-list.tsx';
import { RequestDetail } from './request-detail.tsx';

/** Lists the requests that visitors sent to the edge. */
export function Requests(): ReactElement {
  return (
    <SearchedList<RequestAtEdge>
      view="requests"
      title="Requests"
      noun="request"
      searched="Method, host, path, status or id"
      path="/requests"
      idOf={(row) => row.request_id}
      textOf={(row) => `${row.method} ${row.host ?? ''}${row.path} ${row.request_id} ${row.status ?? ''}`}
      draw={RequestRow}
      hint='Choose "Open at the edge" on an active domain, or send the edge a request with its Host header.'
      detail={(row) => <RequestDetail of={row} key={row.request_id} />}
    />
  );
}

function RequestRow({ method, host, path, status, at }: RequestAtEdge): ReactElement {
  const name = (
    <>
      <span className="method">{method}</span> {path}
    </>
  );
  return <Cells name={name} state={<ResponsePill status={status} />} more={host ?? 'no Host'} at={at} />;
}
