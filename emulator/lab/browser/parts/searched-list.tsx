import type { ReactElement, ReactNode } from 'react';
import { type LabView, usePlace } from '../../../../shared/dashboard/browser/navigation.ts';
import { DetailHead } from '../../../../shared/dashboard/browser/parts/detail-head.tsx';
import { Empty } from '../../../../shared/dashboard/browser/parts/facts.tsx';
import { ListHead, SearchField } from '../../../../shared/dashboard/browser/parts/list-head.tsx';
import { ListPane } from '../../../../shared/dashboard/browser/parts/list-pane.tsx';
import { NotLoaded } from '../../../../shared/dashboard/browser/parts/loaded.tsx';
import { RowList } from '../../../../shared/dashboard/browser/parts/row-list.tsx';
import { useFilter } from '../../../../shared/dashboard/browser/router.ts';
import { useViewPath } from '../../../../shared/dashboard/browser/scope.ts';
import { useEmulatorResource } from '../ask.ts';

/** A view with a list that the emulator returns as a whole, and the details of the selected entry. */
export function SearchedList<T>(input: {
  view: LabView;
  title: string;
  /** The noun for one entry, such as `request`. */
  noun: string;
  /** The label of the search field. */
  searched: string;
  path: string;
  idOf: (row: T) => string;
  /** Returns the text that is searched. */
  textOf: (row: T) => string;
  draw: (row: T) => ReactNode;
  /** Says how the list gets its first entry. */
  hint: string;
  detail: (row: T) => ReactNode;
}): ReactElement {
  const { view, title, noun, idOf, textOf } = input;
  const { id } = usePlace();
  const viewPath = useViewPath();
  const [query, setFilter] = useFilter();
  const { value, error } = useEmulatorResource<{ data: T[] }>(input.path);
  const { search = '' } = query;
  const wanted = search.trim().toLowerCase();
  const rows = value?.data.filter((row) => textOf(row).toLowerCase().includes(wanted)) ?? null;
  const list = (
    <>
      <ListHead title={title} total={rows?.length ?? null}>
        <SearchField label={input.searched} value={search} onChange={(text) => setFilter('search', text)} />
      </ListHead>
      {rows === null ? (
        <NotLoaded error={error} />
      ) : rows.length > 0 ? (
        <RowList<T>
          label={title}
          rows={rows}
          total={rows.length}
          idOf={idOf}
          hrefOf={(row) => viewPath(view, idOf(row), query)}
          draw={input.draw}
          openId={id}
        />
      ) : wanted === '' ? (
        <Empty title={`No ${title.toLowerCase()} yet`}>
          <p>{input.hint}</p>
        </Empty>
      ) : (
        <Empty title={`No ${noun} matches this filter.`} />
      )}
    </>
  );
  const opened = value?.data.find((row) => idOf(row) === id);
  const gone = (
    <>
      <DetailHead title={id ?? ''} />
      <Empty title={`This ${noun} is no longer stored. The emulator keeps the newest 1000 until a reset.`} />
    </>
  );
  const detail = id === null || value === null ? null : opened === undefined ? gone : input.detail(opened);
  return <ListPane list={list} detail={detail} />;
}
