import type { ReactElement } from 'react';
import type { RequestError } from '../send.ts';
import { DetailHead } from './detail-head.tsx';
import { Empty } from './facts.tsx';

/** Stands for a detail that could not be read. @param what such as `Domain`. */
export function MissingDetail({
  what,
  id,
  error,
}: {
  what: string;
  id: string;
  error: RequestError;
}): ReactElement {
  return (
    <>
      <DetailHead title={id} />
      <Empty title={error.status === 404 ? `${what} not found` : error.message}>
        {error.status === 404 ? <p>It was deleted, or it belongs to another app or mode.</p> : null}
      </Empty>
    </>
  );
}
