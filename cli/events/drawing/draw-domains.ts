import type { DomainResource } from '../../../shared/schema/domain.ts';
import { plainText } from '../../output/plain-text.ts';
import type { Line, Span } from '../../terminal/line.ts';
import { statusStyle, timeWord } from '../event-words.ts';
import type { ViewState } from '../view/view-state.ts';
import { emptyLines, fitText } from './fit-text.ts';

interface Column {
  name: string;
  /** The width; 0 takes the width that is left, up to `max`. */
  width: number;
  max?: number;
  /** The column is left out in a terminal with fewer columns. */
  columnsMin: number;
  cell(domain: DomainResource, now: string): Span;
}

const COLUMNS: readonly Column[] = [
  {
    name: 'HOST',
    width: 0,
    max: 64,
    columnsMin: 0,
    cell: ({ hostname }) => ({ text: plainText(hostname) }),
  },
  {
    name: 'STATUS',
    width: 11,
    columnsMin: 0,
    cell: ({ status }) => ({ text: plainText(status), ...statusStyle(status) }),
  },
  {
    name: 'REASON',
    width: 26,
    columnsMin: 72,
    cell: ({ status_reason }) => ({ text: status_reason === null ? '' : plainText(status_reason) }),
  },
  {
    name: 'CHECKED',
    width: 11,
    columnsMin: 100,
    cell: ({ last_checked_at }, now) => timeCell(last_checked_at, now),
  },
  {
    name: 'NEXT CHECK',
    width: 11,
    columnsMin: 130,
    cell: ({ next_check_at }, now) => timeCell(next_check_at, now),
  },
  {
    name: 'CERTIFICATE UNTIL',
    width: 17,
    columnsMin: 150,
    cell: ({ certificate }, now) => timeCell(certificate?.not_after ?? null, now),
  },
  { name: 'ORIGIN', width: 30, columnsMin: 180, cell: originCell },
];

const LEAD = '  ';
const GAP = 2;
const HOST_WIDTH_MIN = 10;

/** Draws the domains that are on the screen. @param now the current time, RFC 3339; times of the same day omit their date. */
export function domainRowLines({ domains: list, rows, size: { columns } }: ViewState, now: string): Line[] {
  const { domains, top, selected } = list;
  if (domains.length === 0) return emptyLines(emptyWords(list), columns);
  const shown = columnsFor(columns);
  return domains.slice(top, top + rows.height).map((domain, index): Line => {
    const isSelected = top + index === selected;
    const cells = shown.map((column, at): Span => {
      const { text, style } = column.cell(domain, now);
      const isLast = at === shown.length - 1;
      const fitted = fitText(text, widthOf(column, columns)) + (isLast ? '' : ' '.repeat(GAP));
      const used = isSelected && (style === undefined || style === 'dim') ? 'bold' : style;
      return used === undefined ? { text: fitted } : { text: fitted, style: used };
    });
    return [{ text: isSelected ? '› ' : LEAD, style: 'cyan' }, ...cells];
  });
}

/** Draws the line with the names of the columns. */
export function domainColumnNames(columns: number): Line {
  const names = columnsFor(columns).map((column) => fitText(column.name, widthOf(column, columns)));
  return [{ text: LEAD + names.join(' '.repeat(GAP)), style: 'dim' }];
}

function columnsFor(columns: number): Column[] {
  return COLUMNS.filter(({ columnsMin }) => columns >= columnsMin);
}

function widthOf(column: Column, columns: number): number {
  if (column.width > 0) return column.width;
  const taken = columnsFor(columns).reduce((sum, { width }) => sum + width + GAP, LEAD.length - GAP);
  return Math.min(Math.max(HOST_WIDTH_MIN, columns - taken), column.max ?? columns);
}

function timeCell(time: string | null, now: string): Span {
  return { text: time === null ? '' : timeWord(time, now), style: 'dim' };
}

function originCell({ origin }: DomainResource): Span {
  return { text: origin === null ? "the app's" : plainText(origin), style: 'dim' };
}

function emptyWords({ load, filter }: ViewState['domains']): string {
  if (load.state === 'failed') return load.problem;
  if (load.state !== 'loaded') return 'Loading the domains …';
  if (filter !== '') return 'No domain matches the filter. Esc clears it.';
  return 'No domains yet. Add one with nameplate domains add.';
}
