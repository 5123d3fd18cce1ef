import { Text } from 'ink';
import { useCallback } from 'react';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { Pane } from '../../screen/pane.tsx';
import { type Part, Parts } from '../../screen/parts.tsx';
import { Rail } from '../../screen/rail.tsx';
import { Rows } from '../../screen/rows.tsx';
import { ageWord, counted, DELIVERY_STATES, type DeliveryState, grouped, untilWord } from '../event-words.ts';
import { type Budget, remainingOf } from '../redeliver-paced.ts';
import { isOpen } from '../view/event-filter.ts';
import { blockerOf, type EventRows } from '../view/event-rows.ts';
import { gapWords } from '../view/event-summary.ts';
import type { Bulk, ViewState } from '../view/view-state.ts';
import { EventRow, EventRowHead } from './event-row.tsx';
import type { BodyProps } from './event-view.tsx';
import { secondsUntil } from './title.tsx';

/** The list of events, with their counts and the filter in its title. */
export function EventList({ state, size, dispatch }: BodyProps) {
  const { rows, marked, panel, mode, time } = state;
  const { shown, selected, redeliveries } = rows;
  const onHeight = useCallback((height: number) => dispatch({ kind: 'resized', height }), [dispatch]);
  return (
    <Pane
      title={<Parts parts={titleParts(state, size.columns >= 150)} />}
      note={state.bulk === null ? followWords(rows) : null}
      hasBorder={size.hasBorder}
      isFocused={panel.open !== 'detail'}
    >
      {size.hasBorder && <EventRowHead layout={size.list} />}
      <Rows
        count={shown.length}
        top={rows.top}
        height={rows.height}
        onHeight={onHeight}
        empty={emptyWords(state)}
      >
        {(index) => {
          const row = shown[index];
          if (row === undefined) return null;
          const isSelected = index === selected;
          if (row.kind === 'gap')
            return (
              <Text key={`gap ${row.gap.before.id}`} color="yellow" wrap="truncate-end">
                <Rail isSelected={isSelected} isLive={mode === 'live'} />
                {` ── ${gapWords(row)} ${'─'.repeat(200)}`}
              </Text>
            );
          const { event } = row;
          const nextAt = event.delivery.next_attempt_at;
          return (
            <EventRow
              key={event.id}
              event={event}
              redelivery={redeliveries.get(event.id) ?? null}
              blocker={blockerOf(rows, event)}
              age={ageWord(event.created_at, time.now)}
              next={nextAt === null ? '' : untilWord(nextAt, time.now)}
              isSelected={isSelected}
              isMarked={marked.has(event.id)}
              isLive={mode === 'live'}
              layout={size.list}
            />
          );
        }}
      </Rows>
    </Pane>
  );
}

function titleParts({ rows, bulk, marked, budget, time }: ViewState, hasWords: boolean): Part[] {
  const { filter, sort, all, past, shown } = rows;
  const count = all.length + past.rows.length;
  // A filter that only this view can apply knows nothing of events that were not loaded.
  const loaded = past.query === null ? 'loaded event' : 'event';
  return [
    {
      text: isOpen(filter)
        ? counted(count, 'event')
        : `${grouped(shown.length)} of ${counted(count, loaded)}`,
      style: 'bold',
    },
    ...when(past.state === 'loading', 'reading older ones', 'dim'),
    ...when(filter.failedOnly, 'failed only', 'red'),
    ...when(filter.text !== '', `/${plainText(filter.text)}`, 'cyan'),
    ...when(filter.pattern !== null, `grep ${plainText(filter.pattern?.source)}`, 'cyan'),
    ...when(marked.size > 0, `${marked.size} selected`, 'cyan'),
    ...when(sort !== 'time', `by ${sort}`, 'cyan'),
    ...(bulk === null
      ? deliveryParts(rows.counts, hasWords)
      : when(true, bulkWords(bulk, budget, time.nowMs), 'yellow')),
  ];
}

function when(isShown: boolean, text: string, style: Style): Part[] {
  return isShown ? [{ text, style }] : [];
}

/** Returns the number of events with each state of delivery, with the marks of the rows. */
function deliveryParts(counts: EventRows['counts'], hasWords: boolean): Part[] {
  return Object.entries(DELIVERY_STATES).flatMap(([state, { mark, words, style }]) => {
    const count = counts[state as DeliveryState];
    return when(count > 0, `${mark} ${grouped(count)}${hasWords ? ` ${words}` : ''}`, style);
  });
}

function bulkWords({ done, total, waitingUntilMs }: Bulk, budget: Budget, nowMs: number): string {
  const wait = waitingUntilMs === null ? '' : `, next in ${secondsUntil(waitingUntilMs, nowMs)} s`;
  return `redelivered ${done} of ${total}, ${remainingOf(budget, nowMs)} left this minute${wait}`;
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
  if (connection.state === 'stopped') {
    return plainText(`${connection.error.message} ${connection.error.fix}`);
  }
  if (connection.state === 'connecting') return `Connecting to ${plainText(source)} …`;
  if (rows.all.length > 0) return 'No event matches the filter. Esc clears it, f shows all deliveries again.';
  return 'No events yet. They appear here as they happen.';
}
