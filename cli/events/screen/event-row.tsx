import { Box, Text, type TextProps } from 'ink';
import { memo, type ReactNode } from 'react';
import type { EventResource } from '../../../shared/schema/event.ts';
import type { Style } from '../../output/output.ts';
import { plainText } from '../../output/plain-text.ts';
import { styleProps } from '../../screen/parts.tsx';
import { Rail } from '../../screen/rail.tsx';
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
  const { words, symbol, style } = changeOf(event);
  const { mark, text, style: deliveryStyle } = deliveryCell(props);
  const { change } = LAYOUTS[layout];
  const host = plainText(event.hostname);
  return (
    <Cells
      layout={layout}
      label={`${isMarked ? 'selected for redelivery, ' : ''}${host}, ${words}, ${spokenDelivery(event, text)}, ${age} ago`}
      isSelected={isSelected}
      lead={
        <>
          <Rail isSelected={isSelected} isLive={isLive} />
          <Text color="cyan">{isMarked ? '◆' : ' '}</Text>
          <Text {...propsOf(deliveryStyle, false)}>{mark}</Text>
        </>
      }
      age={<Text {...propsOf('dim', isSelected)}>{age}</Text>}
      host={<Text {...propsOf(null, isSelected)}>{host}</Text>}
      change={<Text {...propsOf(style, isSelected)}>{change === 1 ? symbol : words}</Text>}
      delivery={<Text {...propsOf(deliveryStyle, isSelected)}>{text}</Text>}
    />
  );
});

/** The names of the columns. */
export function EventRowHead({ layout }: { layout: ScreenSize['list'] }) {
  const name = (text: string) => <Text dimColor>{text}</Text>;
  return (
    <Cells
      layout={layout}
      label=""
      isSelected={false}
      lead={'   '}
      age={name('AGE')}
      host={name('HOST')}
      change={name(LAYOUTS[layout].change === 1 ? '' : 'CHANGE')}
      delivery={name('DELIVERY')}
    />
  );
}

interface CellsProps {
  layout: ScreenSize['list'];
  /** The row in words, for a screen reader; empty to read nothing. */
  label: string;
  isSelected: boolean;
  lead: ReactNode;
  age: ReactNode;
  host: ReactNode;
  change: ReactNode;
  delivery: ReactNode;
}

function Cells({ layout, label, isSelected, lead, age, host, change, delivery }: CellsProps) {
  const widths = LAYOUTS[layout];
  return (
    <Box
      height={1}
      flexShrink={0}
      columnGap={1}
      aria-label={label}
      aria-hidden={label === ''}
      aria-state={{ selected: isSelected }}
    >
      <Text>{lead}</Text>
      <Box width={widths.age} flexShrink={0} justifyContent="flex-end">
        <Text wrap="truncate-end">{age}</Text>
      </Box>
      <Box flexGrow={1} flexBasis={0}>
        <Text wrap="truncate-end">{host}</Text>
      </Box>
      {widths.change > 0 && (
        <Box width={widths.change} flexShrink={0}>
          <Text wrap="truncate-end">{change}</Text>
        </Box>
      )}
      <Box width={widths.delivery} flexShrink={0}>
        <Text wrap="truncate-end">{delivery}</Text>
      </Box>
    </Box>
  );
}

/** Returns the properties of a text. In the selected row, text without a colour of its own is bold. */
function propsOf(style: Style | null, isSelected: boolean): TextProps {
  return isSelected && (style === null || style === 'dim') ? { bold: true } : styleProps(style);
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
  // The narrow column has no room for the whole sentence, which the page of the event has.
  return {
    mark,
    text: layout === 'words' ? words.replace('waits for the one before', 'waits') : words,
    style,
  };
}

/** Says the state of a delivery in words, for a screen reader, which cannot see the mark. */
function spokenDelivery(event: EventResource, text: string): string {
  const state = deliveryState(event);
  return state === null ? text : `${DELIVERY_STATES[state].words}, ${text}`;
}
