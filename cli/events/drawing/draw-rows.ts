import type { EventResource } from '../../../shared/schema/event.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { cutText } from '../../output/table.ts';
import type { Line, Span } from '../../terminal/line.ts';
import {
  changeWords,
  deliveryMark,
  deliveryWords,
  isAccepted,
  redeliveryWords,
  shortDeliveryWord,
  statusStyle,
  timeWord,
} from '../event-words.ts';
import { type EventViewRow, type GapRow, rowCount, rowsInView, shownCount } from '../view/event-rows.ts';
import { gapWords } from '../view/event-summary.ts';
import type { ViewState } from '../view/view-state.ts';
import { emptyLines, fitText } from './fit-text.ts';

/** Draws only the rows that are on the screen. @param now the current time, RFC 3339; rows of the same day omit their date. */
export function eventRowLines(state: ViewState, now: string): Line[] {
  const {
    rows,
    marked,
    size: { columns },
  } = state;
  if (shownCount(rows) === 0) return emptyLines(emptyWords(state), columns);
  const layout = layoutFor(columns);
  return rowsInView(rows).map((row, index) => {
    const isSelected = rows.top + index === rows.selected;
    return row.kind === 'gap'
      ? gapLine(row, isSelected, columns)
      : eventLine(row, { isSelected, isMarked: marked.has(row.event.id) }, layout, columns, now);
  });
}

/** Draws the line with the names of the columns. */
export function columnNames(columns: number): Line {
  const { gap, ...widths } = layoutFor(columns);
  const names = { time: 'UTC', type: 'TYPE', host: 'HOST', change: 'CHANGE', delivery: 'DELIVERY' };
  const cells = COLUMNS.filter((column) => widthOf(column, layoutFor(columns), columns) > 0).map((column) =>
    fitText(names[column], widthOf(column, { gap, ...widths }, columns)),
  );
  return [{ text: ' '.repeat(leadWidth(gap)) + cells.join(' '.repeat(gap)), style: 'dim' }];
}

const COLUMNS = ['time', 'type', 'host', 'change', 'delivery'] as const;
type Column = (typeof COLUMNS)[number];

/** The widths of the columns; 0 leaves a column out. The host column takes the remaining width. */
interface Layout {
  time: number;
  type: number;
  change: number;
  delivery: number;
  gap: number;
}

const LAYOUTS: readonly (Layout & { columnsMin: number })[] = [
  { columnsMin: 130, time: 14, type: 26, change: 25, delivery: 35, gap: 2 },
  { columnsMin: 100, time: 11, type: 19, change: 0, delivery: 35, gap: 2 },
  { columnsMin: 72, time: 11, type: 12, change: 0, delivery: 25, gap: 1 },
  { columnsMin: 0, time: 5, type: 10, change: 0, delivery: 8, gap: 1 },
];
const NARROW_TIME = 5;
/** Room for a date with a time to the second. */
const WIDE_TIME = 14;
const HOST_WIDTH_MIN = 4;
/** The maximum width of a column. In a wider one, the eye would lose the row. */
const HOST_WIDTH_MAX = 64;

function layoutFor(columns: number): Layout {
  return LAYOUTS.find(({ columnsMin }) => columns >= columnsMin) ?? (LAYOUTS[0] as Layout);
}

/** Returns the width of the selection and delivery marks with the space after them. */
function leadWidth(gap: number): number {
  return gap === 1 ? 3 : 4;
}

function widthOf(column: Column, layout: Layout, columns: number): number {
  if (column !== 'host') return layout[column];
  const others = [layout.time, layout.type, layout.change, layout.delivery].filter((width) => width > 0);
  const taken = others.reduce((sum, width) => sum + width + layout.gap, leadWidth(layout.gap));
  return Math.min(Math.max(HOST_WIDTH_MIN, columns - taken), HOST_WIDTH_MAX);
}

function eventLine(
  row: EventViewRow,
  { isSelected, isMarked }: { isSelected: boolean; isMarked: boolean },
  layout: Layout,
  columns: number,
  now: string,
): Line {
  const { event } = row;
  const { mark, style } = deliveryMark(event);
  const time = timeWord(event.created_at, now, layout.time >= WIDE_TIME);
  const isNarrow = layout.time === NARROW_TIME;
  const delivery = deliveryCell(row, isNarrow, now);
  const type = plainText(event.type);
  const cells: Record<Column, Span> = {
    time: { text: isNarrow ? time.slice(0, NARROW_TIME) : time, style: 'dim' },
    type: { text: layout.type < 26 ? type.replace(/^domain\./, '') : type, ...typeStyle(event) },
    host: { text: plainText(event.hostname) },
    change: { text: changeWords(event), style: 'dim' },
    delivery,
  };
  const shown = COLUMNS.filter((column) => widthOf(column, layout, columns) > 0);
  const gap = ' '.repeat(layout.gap);
  return [
    { text: isSelected ? '›' : ' ', style: 'cyan' },
    ...(layout.gap === 1 ? [] : [markSpan(isMarked)]),
    { text: layout.gap === 1 && isMarked ? '◆' : mark, style: layout.gap === 1 && isMarked ? 'cyan' : style },
    { text: ' ' },
    ...shown.map((column, index): Span => {
      const { text, style: own } = cells[column];
      const fitted =
        fitText(text, widthOf(column, layout, columns)) + (index === shown.length - 1 ? '' : gap);
      const standsOut = isSelected && (own === undefined || own === 'dim');
      const used = standsOut ? 'bold' : own;
      return used === undefined ? { text: fitted } : { text: fitted, style: used };
    }),
  ];
}

function markSpan(isMarked: boolean): Span {
  return isMarked ? { text: '◆', style: 'cyan' } : { text: ' ' };
}

/** Returns the colour of an event's type: that of the status to which it led. */
function typeStyle({ type, status }: EventResource): { style?: Style } {
  if (type.startsWith('domain.')) return statusStyle(status);
  return {};
}

/** Says why the list is empty. */
function emptyWords({ rows, source }: ViewState): string {
  const { connection } = rows;
  if (connection.state === 'retrying') return plainText(connection.error.message);
  if (connection.state === 'stopped') {
    return plainText(`${connection.error.message} ${connection.error.fix}`);
  }
  if (connection.state === 'connecting') return `Connecting to ${plainText(source)} …`;
  if (rowCount(rows) > 0) return 'No event matches the filter. Esc clears it, f shows all deliveries again.';
  return 'No events yet. They appear here as they happen.';
}

/** Draws the delivery. The response to a redelivery from this view replaces it until a later attempt. */
function deliveryCell({ event, redelivery }: EventViewRow, isNarrow: boolean, now: string): Span {
  const { style } = deliveryMark(event);
  if (redelivery?.state === 'under_way') return { text: '↻ sending …', style: 'yellow' };
  if (redelivery?.state === 'waiting') return { text: '↻ rate limited, waiting', style: 'yellow' };
  if (redelivery?.state === 'refused') return { text: '↻ not sent', style: 'red' };
  if (redelivery?.state === 'answered' && event.delivery.attempts <= redelivery.delivery.attempt) {
    const { delivery } = redelivery;
    return { text: `↻ ${redeliveryWords(delivery)}`, style: isAccepted(delivery) ? 'green' : 'red' };
  }
  if (isNarrow) return { text: shortDeliveryWord(event.delivery), style };
  return { text: deliveryWords(event, (at) => timeWord(at, now)), style };
}

function gapLine(row: GapRow, isSelected: boolean, columns: number): Line {
  const words = cutText(` ${gapWords(row)} `, columns - 6);
  return [
    { text: isSelected ? '›' : ' ', style: 'cyan' },
    { text: ` ──${words}`.padEnd(columns - 1, '─'), style: 'yellow' },
  ];
}
