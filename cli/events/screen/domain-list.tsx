import { memo, useCallback } from 'react';
import { isReasonCode, REASONS } from '../../../shared/core/reasons.ts';
import type { DomainResource } from '../../../shared/schema/domain.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { Pane } from '../../screen/pane.tsx';
import { type Part, Parts } from '../../screen/parts.tsx';
import { Rail } from '../../screen/rail.tsx';
import { type Cell, Row, RowHead } from '../../screen/row.tsx';
import { Rows } from '../../screen/rows.tsx';
import { ageWord, counted, statusOf, untilWord } from '../event-words.ts';
import type { DomainList as DomainListState } from '../view/domain-list.ts';
import type { BodyProps } from './event-view.tsx';

/** The columns. A column is left out if the list has fewer columns of the screen. */
const COLUMNS = [
  { name: 'HOST', width: null, columnsMin: 0 },
  { name: 'STATUS', width: 19, columnsMin: 0 },
  { name: 'REASON', width: 28, columnsMin: 70 },
  { name: 'CHECKED', width: 9, columnsMin: 96 },
  { name: 'NEXT', width: 9, columnsMin: 106 },
  { name: 'CERTIFICATE', width: 11, columnsMin: 118 },
] as const;

/** The list of domains, with the filter in its title. */
export function DomainList({ state, size, dispatch }: BodyProps) {
  const { domains: list, rows, mode, panel, time } = state;
  const { domains, top, selected } = list;
  const columns = size.isWide ? size.columns - size.pageWidth : size.columns;
  const onHeight = useCallback((height: number) => dispatch({ kind: 'resized', height }), [dispatch]);
  return (
    <Pane
      title={<Parts parts={titleParts(list)} />}
      note={selected < 0 ? null : `row ${selected + 1}`}
      hasBorder={size.hasBorder}
      isFocused={panel.open !== 'domain'}
    >
      {size.hasBorder && (
        <RowHead
          lead=" "
          cells={cellsOf(
            columns,
            COLUMNS.map(({ name }) => name),
            null,
          )}
        />
      )}
      <Rows
        count={domains.length}
        top={top}
        height={rows.height}
        onHeight={onHeight}
        empty={emptyWords(list)}
      >
        {(index) => {
          const domain = domains[index];
          if (domain === undefined) return null;
          const { last_checked_at, next_check_at, certificate } = domain;
          return (
            <DomainRow
              key={domain.id}
              domain={domain}
              checked={last_checked_at === null ? '' : `${ageWord(last_checked_at, time.now)} ago`}
              next={next_check_at === null ? '' : untilWord(next_check_at, time.now)}
              until={certificate === null ? '' : plainText(certificate.not_after).slice(0, 10)}
              isSelected={index === selected}
              isLive={mode === 'live'}
              columns={columns}
            />
          );
        }}
      </Rows>
    </Pane>
  );
}

interface DomainRowProps {
  domain: DomainResource;
  checked: string;
  next: string;
  until: string;
  isSelected: boolean;
  isLive: boolean;
  columns: number;
}

/** A row of the list of domains. Drawn again only if it has changed. */
const DomainRow = memo(function DomainRow({ domain, isSelected, isLive, columns, ...times }: DomainRowProps) {
  const { status_reason } = domain;
  const host = plainText(domain.hostname);
  const { words, style } = statusOf(domain.status);
  const reason = status_reason === null ? '' : reasonWords(status_reason);
  return (
    <Row
      lead={<Rail isSelected={isSelected} isLive={isLive} />}
      label={[host, words, reason].filter(Boolean).join(', ')}
      isSelected={isSelected}
      cells={cellsOf(columns, [host, words, reason, times.checked, times.next, times.until], style)}
    />
  );
});

function cellsOf(columns: number, texts: readonly string[], status: Style | null): Cell[] {
  return COLUMNS.map(({ name, width, columnsMin }, index) => ({
    text: texts[index] ?? '',
    width: columns >= columnsMin ? width : 0,
    style: name === 'STATUS' ? status : name === 'HOST' || name === 'REASON' ? null : 'dim',
  }));
}

function reasonWords(code: string): string {
  return isReasonCode(code) ? REASONS[code].title : plainText(code);
}

function titleParts({ domains, nextCursor, filter, load }: DomainListState): Part[] {
  const count =
    nextCursor === null ? counted(domains.length, 'domain') : `the newest ${domains.length} domains`;
  const isEmpty = domains.length === 0;
  return [
    { text: isEmpty && load.state !== 'loaded' ? 'domains' : count, style: 'bold' },
    ...(filter === '' ? [] : [{ text: `/${plainText(filter)}`, style: 'cyan' } as const]),
    ...(load.state === 'loading' ? [{ text: 'loading', style: 'yellow' } as const] : []),
    ...(load.state === 'failed' && !isEmpty ? [{ text: 'not updated', style: 'red' } as const] : []),
  ];
}

function emptyWords({ load, filter }: DomainListState): string {
  if (load.state === 'failed') return plainText(load.problem);
  if (load.state !== 'loaded') return 'Loading the domains …';
  if (filter !== '') return 'No domain matches the filter. Esc clears it.';
  return 'No domains yet. Add one with nameplate domains add.';
}
