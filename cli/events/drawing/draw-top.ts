import type { ApiError } from '../../../shared/client/client-error.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { cutText, textWidth } from '../../output/table.ts';
import { remainingOf } from '../redeliver-paced.ts';
import { isOpen } from '../view/event-filter.ts';
import { type FeedConnection, rowCount, shownCount } from '../view/event-rows.ts';
import type { ViewState } from '../view/view-state.ts';
import { counted, durationWords } from './event-words.ts';
import type { Line, Span } from './line.ts';

/** Draws the first line: the source of the events and the state of the connection. @param nowMs milliseconds of `elapsedMs`. */
export function connectionLine({ rows, source, size: { columns } }: ViewState, nowMs: number): Line {
  const { text, style } = connectionWords(rows.connection, nowMs, columns);
  const age = rows.answeredAtMs === null ? '' : `${durationWords(nowMs - rows.answeredAtMs)} ago`;
  const when = age === '' ? '' : columns < 60 ? ` · ${age}` : ` · updated ${age}`;
  const room = columns - textWidth(text + when) - 1;
  const title: Span = { text: fitting(columns < 60 ? 'events' : 'nameplate events', room), style: 'bold' };
  const rest = fitting(`  ${plainText(source)}`, room - textWidth(title.text) - 1);
  const space = ' '.repeat(Math.max(1, room - textWidth(title.text + rest)));
  return [title, { text: rest + space, style: 'dim' }, { text, style }, { text: when, style: 'dim' }];
}

/** Cuts a text to the remaining width, which may be zero. */
function fitting(text: string, room: number): string {
  return room <= 0 ? '' : cutText(text, room);
}

/** Draws the second line: the number of events, the filter, and the selected row. @param nowMs milliseconds of `elapsedMs`. */
export function countLine(state: ViewState, nowMs: number): Line {
  const { rows, bulk, size } = state;
  const { filter } = rows;
  const count = counted(rowCount(rows), 'event');
  const parts: Span[] = [
    { text: isOpen(filter) ? count : `${shownCount(rows)} of ${count}` },
    ...(filter.failedOnly ? [{ text: 'failed only', style: 'red' } as const] : []),
    ...(filter.text === '' ? [] : [{ text: `/${filter.text}`, style: 'cyan' } as const]),
    ...(filter.pattern === null ? [] : [{ text: `grep ${filter.pattern.source}`, style: 'cyan' } as const]),
    rows.following
      ? { text: 'following', style: 'dim' }
      : { text: `row ${rows.selected + 1}, not following`, style: 'yellow' },
    ...(bulk ? [{ text: bulkWords(state, nowMs), style: 'yellow' } as const] : []),
  ];
  return cutLine(
    parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: ' · ', style: 'dim' as const }, part])),
    size.columns,
  );
}

/** Cuts a line to a width. */
export function cutLine(line: Line, columns: number): Line {
  let room = columns;
  return line.flatMap((span) => {
    if (room <= 0) return [];
    const text = cutText(span.text, room);
    room -= textWidth(text);
    return [{ ...span, text }];
  });
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
