import type { ApiError } from '../../../shared/client/client-error.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { cutText, textWidth } from '../../output/table.ts';
import { cutLine, type Line, type Span } from '../../terminal/line.ts';
import { counted, durationWords, grouped, statusMark } from '../event-words.ts';
import { remainingOf } from '../redeliver-paced.ts';
import { isOpen } from '../view/event-filter.ts';
import {
  type DeliveryCounts,
  type EventRows,
  type FeedConnection,
  rowCount,
  shownCount,
} from '../view/event-rows.ts';
import type { ViewState } from '../view/view-state.ts';

/** Draws the first line: the list, the server, and the state of the connection. @param nowMs milliseconds of `elapsedMs`. */
export function connectionLine(state: ViewState, nowMs: number): Line {
  const { rows, source, mode, screen } = state;
  const { columns } = state.size;
  const { text, style } = connectionWords(rows.connection, nowMs, columns);
  const age = rows.answeredAtMs === null ? '' : `${durationWords(nowMs - rows.answeredAtMs)} ago`;
  const when = age === '' ? '' : columns < 60 ? ` · ${age}` : ` · updated ${age}`;
  const room = columns - textWidth(text + when) - 1;
  const title: Span = { text: fitting(columns < 60 ? screen : `nameplate ${screen}`, room), style: 'bold' };
  const lead = mode === 'live' && room > textWidth(title.text) + 8 ? [title, { text: ' ' }, LIVE] : [title];
  const taken = lead.reduce((sum, span) => sum + textWidth(span.text), 0);
  const server = mode === 'live' ? ` ${plainText(source)}` : `  test · ${plainText(source)}`;
  const rest = fitting(server, room - taken - 1);
  const space = ' '.repeat(Math.max(1, room - taken - textWidth(rest)));
  return [...lead, { text: rest + space, style: 'dim' }, { text, style }, { text: when, style: 'dim' }];
}

/** Makes live mode impossible to overlook. Capitals make it stand out without colours too. */
const LIVE: Span = { text: ' LIVE ', style: 'bgRed' };

/** Cuts a text to the remaining width, which may be zero. */
function fitting(text: string, room: number): string {
  return room <= 0 ? '' : cutText(text, room);
}

/** Draws the second line: how many rows there are, the filter, and the selected row. @param nowMs milliseconds of `elapsedMs`. */
export function countLine(state: ViewState, nowMs: number): Line {
  const parts = state.screen === 'events' ? eventParts(state, nowMs) : domainParts(state);
  return cutLine(
    parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: ' · ', style: 'dim' as const }, part])),
    state.size.columns,
  );
}

function eventParts(state: ViewState, nowMs: number): Span[] {
  const { rows, bulk, marked } = state;
  const { filter, sort } = rows;
  const count = counted(rowCount(rows), 'event');
  return [
    { text: isOpen(filter) ? count : `${shownCount(rows)} of ${count}` },
    ...(filter.failedOnly ? [{ text: 'failed only', style: 'red' } as const] : []),
    ...(filter.text === '' ? [] : [{ text: `/${filter.text}`, style: 'cyan' } as const]),
    ...(filter.pattern === null ? [] : [{ text: `grep ${filter.pattern.source}`, style: 'cyan' } as const]),
    ...(marked.size === 0 ? [] : [{ text: `${marked.size} selected`, style: 'cyan' } as const]),
    ...(sort === 'time' ? [] : [{ text: `by ${sort}`, style: 'cyan' } as const]),
    followPart(rows),
    ...(bulk ? [{ text: bulkWords(state, nowMs), style: 'yellow' } as const] : deliveryParts(rows.counts)),
  ];
}

function followPart({ following, selected, unseen }: EventRows): Span {
  if (following) return { text: 'following', style: 'dim' };
  const more = unseen === 0 ? '' : `, +${unseen} new`;
  return { text: `row ${selected + 1}, not following${more}`, style: 'yellow' };
}

/** Draws the number of events with each status of delivery, with the marks of the rows. */
function deliveryParts(counts: DeliveryCounts): Span[] {
  const shown = (['delivered', 'failed', 'pending', 'none'] as const).filter((status) => counts[status] > 0);
  return shown.map((status) => {
    const { mark, style } = statusMark(status);
    return { text: `${mark} ${grouped(counts[status])}`, style };
  });
}

function domainParts({ domains: { domains, nextCursor, filter, selected, load } }: ViewState): Span[] {
  const count =
    nextCursor === null ? counted(domains.length, 'domain') : `the newest ${domains.length} domains`;
  return [
    { text: domains.length === 0 && load.state !== 'loaded' ? 'domains' : count },
    ...(filter === '' ? [] : [{ text: `/${filter}`, style: 'cyan' } as const]),
    ...(selected < 0 ? [] : [{ text: `row ${selected + 1}`, style: 'dim' } as const]),
    ...(load.state === 'loading' ? [{ text: 'loading', style: 'yellow' } as const] : []),
    ...(load.state === 'failed' && domains.length > 0
      ? [{ text: 'not updated', style: 'red' } as const]
      : []),
  ];
}

function bulkWords({ bulk, budget }: ViewState, nowMs: number): string {
  if (!bulk) return '';
  const wait = bulk.waitingUntilMs === null ? '' : `, next in ${secondsUntil(bulk.waitingUntilMs, nowMs)} s`;
  return `redelivered ${bulk.done} of ${bulk.total}, ${remainingOf(budget, nowMs)} left this minute${wait}`;
}

/** Describes the connection. Each state has its own sign, so that it works without colour too. */
function connectionWords(
  connection: FeedConnection,
  nowMs: number,
  columns: number,
): { text: string; style: Style } {
  switch (connection.state) {
    case 'connecting':
      return { text: '◌ connecting', style: 'yellow' };
    case 'live':
      return { text: '● live', style: 'green' };
    case 'retrying': {
      const waitS = secondsUntil(connection.untilMs, nowMs);
      return { text: waitS === 0 ? '○ retrying now' : `○ retrying in ${waitS} s`, style: 'yellow' };
    }
    case 'stopped':
      return { text: `✗ stopped: ${cutText(stopWords(connection.error), columns - 30)}`, style: 'red' };
  }
}

function stopWords(error: ApiError): string {
  return error.status === 401 || error.status === 403 ? 'key refused' : plainText(error.code);
}

function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
