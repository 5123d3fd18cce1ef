import { Text } from 'ink';
import { memo } from 'react';
import type { EventResource } from '../../../shared/schema/event.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { styleProps } from '../../screen/parts.tsx';
import { Rail } from '../../screen/rail.tsx';
import { type Cell, Row, RowHead } from '../../screen/row.tsx';
import {
  changeOf,
  DELIVERY_STATES,
  deliveryMark,
  deliveryState,
  deliveryWords,
  isAccepted,
  redeliveryWords,
  shortDeliveryWord,
} from '../event-words.ts';
import type { Redelivery } from '../view/event-rows.ts';
import type { ScreenSize } from './screen-size.ts';

/** The widths of the columns; 0 leaves a column out. The hostname takes the width that is left. */
const LAYOUTS: Record<ScreenSize['list'], { age: number; change: number; delivery: number }> = {
  full: { age: 7, change: 16, delivery: 34 },
  words: { age: 6, change: 14, delivery: 20 },
  symbols: { age: 6, change: 1, delivery: 27 },
  short: { age: 6, change: 0, delivery: 9 },
};

interface EventRowProps {
  event: EventResource;
  /** The last redelivery from this view; null if there was none. */
  redelivery: Redelivery | null;
  /** The earlier event that the delivery waits for; null if it waits for none. */
  blocker: EventResource | null;
  age: string;
  /** When the next attempt is due, such as `in 53 s`; empty if none is. */
  next: string;
  isSelected: boolean;
  isMarked: boolean;
  isLive: boolean;
  layout: ScreenSize['list'];
}

/** A row of the list of events. Drawn again only if it has changed. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { event, isSelected, isMarked, isLive, age, layout } = props;
  const change = changeOf(event);
  const delivery = deliveryCell(props);
  const spoken = deliveryCell({ ...props, layout: 'full' }).text;
  const host = plainText(event.hostname);
  const marked = isMarked ? 'selected for redelivery, ' : '';
  return (
    <Row
      label={`${marked}${host}, ${change.words}, ${spokenDelivery(event, spoken)}, ${age} ago`}
      isSelected={isSelected}
      lead={
        <>
          <Rail isSelected={isSelected} isLive={isLive} />
          <Text color="cyan">{isMarked ? '◆' : ' '}</Text>
          <Text {...styleProps(delivery.style)}>{delivery.mark}</Text>
        </>
      }
      cells={cellsOf(layout, {
        age,
        host,
        change: LAYOUTS[layout].change === 1 ? change.symbol : change.words,
        changeStyle: change.style,
        delivery: delivery.text,
        deliveryStyle: delivery.style,
      })}
    />
  );
});

/** The names of the columns. */
export function EventRowHead({ layout }: { layout: ScreenSize['list'] }) {
  const change = LAYOUTS[layout].change === 1 ? '' : 'CHANGE';
  const names = { age: 'AGE', host: 'HOST', change, delivery: 'DELIVERY' };
  return <RowHead lead="   " cells={cellsOf(layout, { ...names, changeStyle: null, deliveryStyle: null })} />;
}

interface CellTexts {
  age: string;
  host: string;
  change: string;
  changeStyle: Style | null;
  delivery: string;
  deliveryStyle: Style | null;
}

function cellsOf(layout: ScreenSize['list'], texts: CellTexts): Cell[] {
  const widths = LAYOUTS[layout];
  return [
    { text: texts.age, width: widths.age, style: 'dim', isRight: true },
    { text: texts.host, width: null },
    { text: texts.change, width: widths.change, style: texts.changeStyle },
    { text: texts.delivery, width: widths.delivery, style: texts.deliveryStyle },
  ];
}

/** Returns the delivery. The response to a redelivery from this view replaces it until a later attempt. */
function deliveryCell({ event, redelivery, blocker, next, layout }: EventRowProps) {
  const { mark, style } = deliveryMark(event);
  switch (redelivery?.state) {
    case 'under_way':
      return { mark: '…', text: 'sending …', style: 'yellow' as const };
    case 'waiting':
      return { mark: '…', text: 'rate limited, waiting', style: 'yellow' as const };
    case 'refused':
      return { mark, text: 'redelivery not sent', style: 'red' as const };
    case 'answered': {
      const { delivery } = redelivery;
      if (event.delivery.attempts > delivery.attempt) break;
      const answer = isAccepted(delivery) ? DELIVERY_STATES.delivered : { mark: '✗', style: 'red' as const };
      return { mark: answer.mark, text: redeliveryWords(delivery), style: answer.style };
    }
  }
  if (layout === 'short') return { mark, text: shortDeliveryWord(event.delivery), style };
  const words = deliveryWords(event, { time: () => next, blocker });
  // A narrow column has no room for the whole sentence. The page of the event shows it.
  return {
    mark,
    text: layout === 'full' ? words : words.replace('waits for the one before', 'waits'),
    style,
  };
}

/** Says the state of a delivery in words, for a screen reader, which cannot see the mark. */
function spokenDelivery(event: EventResource, text: string): string {
  const state = deliveryState(event);
  return state === null ? text : `${DELIVERY_STATES[state].words}, ${text}`;
}
