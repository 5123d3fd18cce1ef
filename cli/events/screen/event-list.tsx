import { DELIVERY_STATES, type DeliveryState } from '../../output/marks.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { problemOf } from '../../runtime/error-presenter.ts';
import { type Part, ScreenList } from '../../screen/list-pane.tsx';
import { counted, grouped } from '../event-words.ts';
import { remainingOf } from '../redeliver-paced.ts';
import { isOpen } from '../view/event-filter.ts';
import type { EventRows } from '../view/event-rows.ts';
import { isGap } from '../view/row-order.ts';
import type { Bulk, ViewState } from '../view/view-state.ts';
import { EventLine, EventRowHead } from './event-row.tsx';
import type { BodyProps } from './event-view.tsx';
import { secondsUntil } from './title.tsx';

/** The list of events, with their counts and the filter in its title. */
export function EventPane({ state, size, dispatch }: BodyProps) {
  const { rows, panel, bulk } = state;
  return (
    <ScreenList
      title={titleParts(state, size.columns >= 150)}
      note={bulk === null ? followWords(rows) : null}
      hasBorder={size.hasBorder}
      isFocused={panel.open !== 'detail'}
      head={size.hasBorder && <EventRowHead layout={size.list} />}
      items={rows.shown}
      position={rows}
      sized="resized"
      dispatch={dispatch}
      empty={emptyWords(state)}
    >
      {(row, index) => (
        <EventLine
          key={isGap(row) ? `gap ${row.before.id}` : row.id}
          row={row}
          state={state}
          isSelected={index === rows.selected}
          layout={size.list}
        />
      )}
    </ScreenList>
  );
}

function titleParts({ rows, bulk, marked, budget, time }: ViewState, hasWords: boolean): Part[] {
  const { filter, sort, all, past, shown } = rows;
  const count = all.length + past.rows.length;
  // If only this view can apply the filter, the count covers only the loaded events, and the title says so.
  const loaded = past.query === null ? 'loaded event' : 'event';
  return [
    {
      text: isOpen(filter)
        ? counted(count, 'event')
        : `${grouped(shown.length)} of ${counted(count, loaded)}`,
      style: 'bold',
    },
    ...when(past.state === 'loading', 'reading older ones', 'dim'),
    ...when(filter.failedOnly, '✗ failed only', 'red'),
    ...when(filter.text !== '', `/${plainText(filter.text)}`, 'cyan'),
    ...when(filter.pattern !== null, `grep ${plainText(filter.pattern?.source)}`, 'cyan'),
    ...when(marked.size > 0, `${marked.size} selected`, 'cyan'),
    ...when(sort !== 'time', `by ${sort}`, 'cyan'),
    ...(bulk === null
      ? deliveryParts(rows.counts, hasWords)
      : when(true, bulkWords(bulk, remainingOf(budget, time.nowMs), time.nowMs), 'yellow')),
  ];
}

function when(isShown: boolean, text: string, style: Style): Part[] {
  return isShown ? [{ text, style }] : [];
}

/** Returns how many events have each delivery state, with the same marks as in the rows. */
function deliveryParts(counts: EventRows['counts'], hasWords: boolean): Part[] {
  return Object.entries(DELIVERY_STATES).flatMap(([state, { mark, words, style }]) => {
    const count = counts[state as DeliveryState];
    return when(count > 0, `${mark} ${grouped(count)}${hasWords ? ` ${words}` : ''}`, style);
  });
}

function bulkWords({ done, total, waitingUntilMs }: Bulk, left: number, nowMs: number): string {
  const wait = waitingUntilMs === null ? '' : `, next in ${secondsUntil(waitingUntilMs, nowMs)} s`;
  return `redelivered ${done} of ${total}, ${left} left this minute${wait}`;
}

function followWords({ following, selected, unseen, shown }: EventRows): string | null {
  if (shown.length === 0) return null;
  if (following) return 'following';
  return `row ${selected + 1}, not following${unseen === 0 ? '' : `, +${unseen} new ↓`}`;
}

/** Says why the list is empty. */
function emptyWords({ rows, source }: ViewState): string {
  const { connection } = rows;
  if (connection.state === 'retrying') return plainText(connection.error.message);
  if (connection.state === 'stopped') return problemOf(connection.error);
  if (connection.state === 'connecting') return `Connecting to ${plainText(source)} …`;
  if (rows.all.length > 0) return 'No event matches the filter. Esc clears it, f shows all deliveries again.';
  return 'No events yet. They appear here as they happen.';
}
