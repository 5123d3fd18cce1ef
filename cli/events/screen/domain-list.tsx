import { isCertificateValid } from '../../../shared/core/look/status-look.ts';
import { isReasonCode, REASONS } from '../../../shared/core/reasons.ts';
import { statusOf } from '../../output/marks.ts';
import { plainText } from '../../output/plain-text.ts';
import { type Part, ScreenList } from '../../screen/list-pane.tsx';
import { Row, RowHead } from '../../screen/row.tsx';
import { ageWord, counted, untilWord } from '../event-words.ts';
import type { DomainsInView } from '../view/domain-list.ts';
import type { BodyProps } from './event-view.tsx';

/** The columns of the list. A column is left out if the list is narrower than `columnsMin`. */
const COLUMNS = [
  { name: 'HOST', width: null, columnsMin: 0 },
  { name: 'STATUS', width: 21, columnsMin: 0 },
  { name: 'REASON', width: 30, columnsMin: 70 },
  { name: 'CHECKED', width: 9, columnsMin: 96 },
  { name: 'NEXT', width: 9, columnsMin: 106 },
  { name: 'CERTIFICATE', width: 11, columnsMin: 118 },
] as const;

/** The list of domains, with the filter in its title. */
export function DomainPane({ state, size, dispatch }: BodyProps) {
  const { domains: list, mode, panel, time } = state;
  const { domains, selected } = list;
  const width = size.isWide ? size.columns - size.pageWidth : size.columns;
  const columns = COLUMNS.filter(({ columnsMin }) => width >= columnsMin);
  return (
    <ScreenList
      title={titleParts(list)}
      note={selected < 0 ? null : `row ${selected + 1}`}
      hasBorder={size.hasBorder}
      isFocused={panel.open !== 'domain'}
      head={size.hasBorder && <RowHead lead=" " columns={columns} names={columns.map(({ name }) => name)} />}
      items={domains}
      position={list}
      sized="resized"
      dispatch={dispatch}
      empty={emptyWords(list)}
    >
      {(domain, index) => {
        const { hostname, status, status_reason, last_checked_at, next_check_at, certificate } = domain;
        const host = plainText(hostname);
        const { mark, words, style } = statusOf(
          status,
          isCertificateValid(certificate, Date.parse(time.now)),
        );
        const reason = status_reason === null ? '' : reasonWords(status_reason);
        return (
          <Row
            key={domain.id}
            columns={columns}
            cells={[
              [host],
              [`${mark} ${words}`, style],
              [reason],
              [last_checked_at === null ? '' : `${ageWord(last_checked_at, time.now)} ago`, 'dim'],
              [next_check_at === null ? '' : untilWord(next_check_at, time.now), 'dim'],
              [certificate === null ? '' : plainText(certificate.not_after).slice(0, 10), 'dim'],
            ]}
            label={[host, words, reason].filter(Boolean).join(', ')}
            isSelected={index === selected}
            isLive={mode === 'live'}
          />
        );
      }}
    </ScreenList>
  );
}

function reasonWords(code: string): string {
  return isReasonCode(code) ? REASONS[code].short : plainText(code);
}

function titleParts({ domains, nextCursor, filter, load }: DomainsInView): Part[] {
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

function emptyWords({ load, filter }: DomainsInView): string {
  if (load.state === 'failed') return plainText(load.problem);
  if (load.state !== 'loaded') return 'Loading the domains …';
  if (filter !== '') return 'No domain matches the filter. Esc clears it.';
  return 'No domains yet. Add one with nameplate domains add.';
}
