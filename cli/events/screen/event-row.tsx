import { Text } from 'ink';
import type { EventResource } from '../../../shared/schema/event.ts';
import { BAD_MARK, DELIVERY_STATES, deliveryMark, deliveryState } from '../../output/marks.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { type Column, Rail, Row, RowHead } from '../../screen/row.tsx';
import {
  ageWord,
  changeOf,
  deliveryWords,
  isAccepted,
  redeliveryWords,
  shortDeliveryWord,
  untilWord,
} from '../event-words.ts';
import { blockerOf } from '../view/event-rows.ts';
import { gapWords } from '../view/event-summary.ts';
import { isGap, type ViewRow as ListRow } from '../view/row-order.ts';
import type { ViewState } from '../view/view-state.ts';
import type { ScreenSize } from './event-view.tsx';

type Layout = ScreenSize['list'];

/** The columns of the event list in each layout: age, hostname, change and delivery. */
const LAYOUTS: Record<Layout, readonly [Column, Column, Column, Column]> = {
  full: columnsOf(7, 18, 34),
  words: columnsOf(6, 18, 20),
  symbols: columnsOf(6, 1, 27),
  short: columnsOf(6, 0, 9),
};

function columnsOf(age: number, change: number, delivery: number): [Column, Column, Column, Column] {
  return [{ width: age, isRight: true }, { width: null }, { width: change }, { width: delivery }];
}

interface EventRowProps {
  row: ListRow;
  state: ViewState;
  isSelected: boolean;
  layout: Layout;
}

/** A row of the list of events: an event, or a gap. */
export function EventLine({ row, state, isSelected, layout }: EventRowProps) {
  const { marked, mode, time } = state;
  const isLive = mode === 'live';
  if (isGap(row))
    return (
      <Text color="yellow" wrap="truncate-end">
        <Rail isSelected={isSelected} isLive={isLive} />
        {` ── ${gapWords(row)} ${'─'.repeat(200)}`}
      </Text>
    );
  const event = row;
  const columns = LAYOUTS[layout];
  const change = changeOf(event);
  const { mark, text, style } = deliveryCell(event, state, layout);
  const spoken = spokenDelivery(event, deliveryCell(event, state, 'full').text);
  const host = plainText(event.hostname);
  const age = ageWord(event.created_at, time.now);
  const isMarked = marked.has(event.id);
  return (
    <Row
      label={`${isMarked ? 'selected for redelivery, ' : ''}${host}, ${change.words}, ${spoken}, ${age} ago`}
      isSelected={isSelected}
      isLive={isLive}
      marks={[
        [isMarked ? '◆' : ' ', 'cyan'],
        [mark, style],
      ]}
      columns={columns}
      cells={[
        [age, 'dim'],
        [host],
        [layout === 'symbols' ? change.symbol : change.words, change.style],
        [text, style],
      ]}
    />
  );
}

/** Draws the header row of the event list. */
export function EventRowHead({ layout }: { layout: Layout }) {
  const names = ['AGE', 'HOST', layout === 'symbols' ? '' : 'CHANGE', 'DELIVERY'];
  return <RowHead lead="   " columns={LAYOUTS[layout]} names={names} />;
}

/** Returns the cell for the delivery. After a redelivery from this view, the cell shows its response until there is a later attempt. */
function deliveryCell(
  event: EventResource,
  { rows, time }: ViewState,
  layout: Layout,
): { mark: string; text: string; style: Style } {
  const redelivery = rows.redeliveries.get(event.id);
  const { mark, style } = deliveryMark(event);
  switch (redelivery?.state) {
    case 'under_way':
      return { mark: '…', text: 'sending …', style: 'yellow' };
    case 'waiting':
      return { mark: '…', text: 'rate limited, waiting', style: 'yellow' };
    case 'refused':
      return { mark, text: 'redelivery not sent', style: 'red' };
    case 'answered': {
      const { delivery } = redelivery;
      if (event.delivery.attempts > delivery.attempt) break;
      const answer = isAccepted(delivery) ? DELIVERY_STATES.delivered : BAD_MARK;
      return { mark: answer.mark, text: redeliveryWords(delivery), style: answer.style };
    }
  }
  if (layout === 'short') return { mark, text: shortDeliveryWord(event.delivery), style };
  const words = deliveryWords(event, {
    time: (at) => untilWord(at, time.now),
    blocker: blockerOf(rows, event),
  });
  // Shorten the sentence for a narrow column. The page of the event shows it in full.
  const text = layout === 'full' ? words : words.replace('waits for the one before', 'waits');
  return { mark, text, style };
}

/** Returns the delivery state in words for screen readers, which cannot use the mark. */
function spokenDelivery(event: EventResource, text: string): string {
  const state = deliveryState(event);
  return state === null ? text : `${DELIVERY_STATES[state].words}, ${text}`;
}
